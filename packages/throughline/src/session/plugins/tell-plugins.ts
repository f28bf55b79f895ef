import { PluginError, type PluginFailed } from './errors.ts'
import type { EventSource, SessionEvent } from '../events.ts'
import type { Plugin } from './plugin.ts'

/** Tells the plugins of an event; none of them can stop the session by it. */
export function tellPlugins(
  plugins: readonly Plugin[],
  event: SessionEvent,
  source: EventSource,
  failed: PluginFailed,
): void {
  for (const plugin of plugins) {
    const fail = (cause: unknown): void => {
      // Whoever fails when told of a failure would be told of that one, too.
      if (event.type === 'plugin-failed') return
      failed(new PluginError({ plugin: plugin.name, hook: 'onEvent', cause }))
    }
    try {
      const given: unknown = plugin.onEvent?.(event, source)
      // Nobody waits for it; a rejection that nobody handles would end the process.
      if (given instanceof Promise) given.catch(fail)
    } catch (cause) {
      fail(cause)
    }
  }
}
