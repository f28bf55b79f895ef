import { parseRef } from '../../log/ref.ts'
import { inTime } from '../in-time.ts'
import { PluginError, type PluginFailed, type PluginHook } from './errors.ts'
import type { Continuation, Ref } from '../../log/entry.ts'
import type { Section, Template } from '../../compaction/summary/template.ts'
import type { CompactAnswer, Plugin } from './plugin.ts'

/** A `beforeCompact` answer in the form that is used. */
export interface WantedOfCompaction extends Omit<CompactAnswer, 'keep'> {
  keep?: readonly Ref[]
}

/** @throws TypeError that says what is wrong with it. */
export function readCompactAnswer(given: unknown): WantedOfCompaction {
  if (typeof given !== 'object' || given === null) throw nonsense('return { veto, keep, summary }')
  const { veto, keep, summary } = given as { [Key in keyof CompactAnswer]: unknown }
  if (veto === undefined && keep === undefined && summary === undefined) {
    throw nonsense('return at least one of veto, keep and summary')
  }
  if (veto !== undefined && !isText(veto)) throw nonsense('veto must be a text that says why')
  if (summary !== undefined && !isText(summary)) throw nonsense('summary must be a text')
  return {
    ...(veto !== undefined && { veto }),
    ...(summary !== undefined && { summary }),
    ...(keep !== undefined && { keep: refsOf(keep) }),
  }
}

function refsOf(keep: unknown): Ref[] {
  if (!Array.isArray(keep)) throw nonsense('keep must be a list of refs')
  return keep.map((given: unknown) => {
    const text = String(given)
    if (!parseRef(text)) throw nonsense('keep must be a list of refs, such as 12 and "12.0"')
    return text as Ref
  })
}

/** @throws TypeError if it is not a text. */
export function readSummary(given: unknown): string {
  if (isText(given)) return given
  throw nonsense('return a text, or undefined')
}

/** With more sections, the headings would leave no room for a summary in a small window. */
export const mostSections = 20

/** @throws TypeError if it is not a template. */
export function readTemplate(given: unknown): Template {
  const sections =
    typeof given === 'object' && given !== null && 'sections' in given ? given.sections : undefined
  const isList = Array.isArray(sections) && sections.length > 0 && sections.every(isSection)
  if (!isList) throw nonsense('return { sections: [{ heading, guide }, …] }')
  if (sections.length > mostSections) throw nonsense(`return at most ${mostSections} sections`)
  return given as Template
}

const kinds: ReadonlySet<unknown> = new Set(['unanswered', 'media', 'mid-task'])

/**
 * A continuation with the mark that hides it from the user. It repeats no human message, unless it
 * is exactly the one that was proposed: the human's words are never replaced.
 * @throws TypeError if it is invalid or doesn't fit.
 */
export function readContinuation(
  given: unknown,
  proposed: Continuation | null,
  fits: (message: Continuation['message']) => boolean,
): Continuation | null {
  if (given === null) return null
  const { kind, message, metadata } = (given ?? {}) as { [Key in keyof Continuation]: unknown }
  if (!kinds.has(kind)) throw nonsense('kind must be unanswered, media or mid-task')
  if (!isUserText(message)) throw nonsense('message must be { role: "user", content: text }')
  if (proposed && message === proposed.message) return proposed
  if (!fits(message)) throw nonsense('it would take too much of what a compaction may keep')
  return {
    kind: kind as Continuation['kind'],
    message,
    metadata: {
      ...(typeof metadata === 'object' ? metadata : {}),
      compaction_continue: true,
    },
  }
}

function isUserText(given: unknown): given is Continuation['message'] {
  if (typeof given !== 'object' || given === null) return false
  const { role, content } = given as { role?: unknown; content?: unknown }
  if (role !== 'user') return false
  if (!Array.isArray(content)) return isText(content)
  return content.length > 0 && content.every((part) => part?.type === 'text' && isText(part.text))
}

/** A heading is one line: two lines would be two headings. */
export function isSection(given: unknown): given is Section {
  if (typeof given !== 'object' || given === null) return false
  const { heading, guide } = given as { heading?: unknown; guide?: unknown }
  return isText(heading) && /^[^\n\r]{1,100}$/.test(heading) && typeof guide === 'string'
}

function isText(given: unknown): given is string {
  return typeof given === 'string' && given.trim() !== ''
}

function nonsense(expected: string): TypeError {
  return new TypeError(`its answer cannot be used; ${expected}`)
}

/** A question to plugins, and how to read an answer; reading throws if the answer is invalid. */
interface Question<Answer> {
  hook: PluginHook
  ask: (plugin: Plugin) => unknown
  read: (given: unknown) => Answer
  failed: PluginFailed
}

interface Answered<Answer> {
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
