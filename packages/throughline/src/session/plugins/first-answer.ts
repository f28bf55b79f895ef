import { inTime } from '../in-time.ts'
import { PluginError, type PluginFailed, type PluginHook } from './errors.ts'
import type { Plugin } from './plugin.ts'

/** A question to plugins, and how to read an answer; reading throws if the answer is invalid. */
interface Question<Answer> {
  hook: PluginHook
  ask: (plugin: Plugin) => unknown
  read: (given: unknown) => Answer
  failed: PluginFailed
}

export interface Answered<Answer> {
  by: string
  answer: Answer
}

/** The first usable answer. */
export function firstAnswer<Answer>(
  plugins: readonly Plugin[],
  { hook, ask, read, failed }: Question<Answer>,
): Answered<Answer> | undefined {
  for (const plugin of plugins) {
    try {
      const given = ask(plugin)
      if (given !== undefined) return { by: plugin.name, answer: read(given) }
    } catch (cause) {
      failed(new PluginError({ plugin: plugin.name, hook, cause }))
    }
  }
  return undefined
}

/** A question whose answer may take a while. */
interface SlowQuestion<Answer> extends Omit<Question<Answer>, 'ask'> {
  ask: (plugin: Plugin, signal: AbortSignal) => unknown
  /** Milliseconds for each plugin. */
  limit: number
}

/**
 * The same for asynchronous answers, one plugin after the other; a plugin that doesn't answer in
 * time has failed.
 * @throws the signal's reason if it is aborted.
 */
export async function firstAnswerInTime<Answer>(
  plugins: readonly Plugin[],
  { hook, ask, read, failed, limit }: SlowQuestion<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answered<Answer> | undefined> {
  for (const plugin of plugins) {
    signal?.throwIfAborted()
    try {
      const name = `${hook} of ${plugin.name}`
      const waited = { who: 'hook', name, limit } as const
      const given = await inTime(waited, (inner) => ask(plugin, inner), signal)
      if (given !== undefined) return { by: plugin.name, answer: read(given) }
    } catch (cause) {
      signal?.throwIfAborted()
      failed(new PluginError({ plugin: plugin.name, hook, cause }))
    }
  }
  return undefined
}
