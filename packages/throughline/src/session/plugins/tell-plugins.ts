import { PluginError, type PluginFailed } from './errors.ts'
import type { EventSource, SessionEvent } from '../events.ts'
import type { Plugin } from './plugin.ts'

// The name under which a host's own listener is reported.
const listenerName = 'onEvent'

/** Sends an event to the host's own listener, which can't stop the session either. */
export function tellListener(
  onEvent: ((event: SessionEvent) => unknown) | undefined,
  event: SessionEvent,
  failed: PluginFailed,
): void {
  tell(listenerName, () => onEvent?.(event), event, failed)
}

/** Sends an event to the plugins; none of them can stop the session that way. */
export function tellPlugins(
  plugins: readonly Plugin[],
  event: SessionEvent,
  source: EventSource,
  failed: PluginFailed,
): void {
  for (const plugin of plugins) {
    tell(plugin.name, () => plugin.onEvent?.(event, source), event, failed)
  }
}

function tell(
  plugin: string,
  listen: () => unknown,
  event: SessionEvent,
  failed: PluginFailed,
): void {
  const fail = (cause: unknown): void => {
    // Who fails while handling a failure would also be told of its own failure.
    if (event.type === 'plugin-failed') return
    failed(new PluginError({ plugin, hook: 'onEvent', cause }))
  }
  try {
    const given = listen()
    // Nobody awaits it; an unhandled rejection would end the process.
    if (given instanceof Promise) given.catch(fail)
  } catch (cause) {
    fail(cause)
  }
}
