import { ThroughlineError } from '../../log/throughline-error.ts'

/** What a plugin can be asked for, and so where it can fail. */
export type PluginHook =
  | 'definition'
  | 'template'
  | 'beforeCompact'
  | 'afterSummary'
  | 'continuation'
  | 'onEvent'

/**
 * A plugin threw, or gave what cannot be used. In a session it is told as a `plugin-failed` event,
 * and the session goes on as if the plugin had said nothing; a plugin that is none is refused when
 * the session is opened.
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
        : `The plugin ${name} failed in ${hook}: ${reason}. What it was asked for is done without it.`,
      { cause },
    )
    this.plugin = plugin
    this.hook = hook
  }
}

/** Told when a plugin has failed. */
export type PluginFailed = (error: PluginError) => void
