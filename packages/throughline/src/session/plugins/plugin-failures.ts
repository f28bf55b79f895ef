import type { EntryDraft } from '../../log/entry.ts'
import type { PluginError, PluginFailed } from './errors.ts'

/** The failures of a session's plugins, collected until a compaction writes them to the log. */
export interface PluginFailures {
  add: PluginFailed
  /** The failures to record in the log, each once. */
  take: (now: number) => EntryDraft[]
}

/** Calls `told` once for each failure, however often the same plugin fails in the same way. */
export function pluginFailures(told: PluginFailed): PluginFailures {
  const known = new Map<string, PluginError>()
  return {
    add(error) {
      const key = `${error.plugin} ${error.hook}`
      if (known.has(key)) return
      known.set(key, error)
      told(error)
    },
    take(at) {
      const errors = [...known.values()]
      known.clear()
      return errors.map(({ plugin, hook, message }) => ({
        kind: 'observation',
        at,
        observation: { type: 'note', name: 'plugin-failed', data: { plugin, hook, message } },
      }))
    },
  }
}
