import { PluginError, type PluginFailed } from './errors.ts'
import type { EventSource, SessionEvent } from '../events.ts'
import type { Plugin } from './plugin.ts'

/** Sends an event to the plugins; none of them can stop the session that way. */
export function tellPlugins(
  plugins: readonly Plugin[],
  event: SessionEvent,
  source: EventSource,
  failed: PluginFailed,
): void {
  for (const plugin of plugins) {
    const fail = (cause: unknown): void => {
      // A plugin that fails while handling a failure would also be told of its own failure.
      if (event.type === 'plugin-failed') return
      failed(new PluginError({ plugin: plugin.name, hook: 'onEvent', cause }))
    }
    try {
      const given: unknown = plugin.onEvent?.(event, source)
      // Nobody awaits it; an unhandled rejection would end the process.
      if (given instanceof Promise) given.catch(fail)
    } catch (cause) {
      fail(cause)
    }
  }
}
