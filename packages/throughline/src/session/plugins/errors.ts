import { ThroughlineError } from '../../log/throughline-error.ts'
import type { EntryDraft } from '../../log/entry.ts'

/** The hooks of a plugin, which are also the places where it can fail. */
export type PluginHook =
  | 'definition'
  | 'template'
  | 'beforeCompact'
  | 'afterSummary'
  | 'continuation'
  | 'onEvent'

/**
 * A plugin threw or returned something unusable. In a session, this is reported as a
 * `plugin-failed` event, and the session continues as if the plugin had returned nothing. An
 * invalid plugin is rejected when the session is opened.
 */
export class PluginError extends ThroughlineError<'PLUGIN'> {
  static override readonly code = 'PLUGIN'

  readonly plugin: string
  readonly hook: PluginHook

  constructor({ plugin, hook, cause }: { plugin: string; hook: PluginHook; cause: unknown }) {
    const name = JSON.stringify(plugin.slice(0, 60))
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(
      PluginError.code,
      hook === 'definition'
        ? `The plugin ${name} cannot be used: ${reason}.`
        : `The plugin ${name} failed in ${hook}: ${reason}. Throughline continued without it.`,
      { cause },
    )
    this.plugin = plugin
    this.hook = hook
  }
}

export type PluginFailed = (error: PluginError) => void

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
