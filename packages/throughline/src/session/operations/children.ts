import type { Internals } from '../internals.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { SessionOptions } from '../options.ts'

/** The session of an agent that another session starts. */
export interface ChildOptions extends Partial<Omit<SessionOptions, 'id'>> {
  id: string
  /** What it is to do and to deliver, in a sentence: every summary of the parent tells it. */
  task: string
}

// What was said to the parent is no word of the child's, and who listens to it listens to one session.
const ownOfParent: ReadonlySet<string> = new Set(['system', 'template', 'onEvent', 'id'])

/** A child takes what it isn't given from its parent. */
export function childSession(parent: SessionOptions, options: ChildOptions): SessionOptions {
  const shared = Object.entries(parent).filter(([key]) => !ownOfParent.has(key))
  const given = Object.entries(options).filter(([key]) => key !== 'task')
  return Object.fromEntries([...shared, ...given]) as unknown as SessionOptions
}

/** The notes by which both sessions name each other. */
export function childLinks(
  parent: Internals,
  { id, task }: ChildOptions,
): { inParent: EntryDraft; inChild: EntryDraft } {
  const at = parent.now()
  const note = (name: string, data: object): EntryDraft => ({
    kind: 'observation',
    at,
    observation: { type: 'note', name, data },
  })
  return {
    inParent: note('child', { session: id, task }),
    inChild: note('parent', { session: parent.options.id, task }),
  }
}

/** A child's report, as its parent reads it; a tag in it begins and ends nothing. */
export function reportDraft(
  { now }: Internals,
  { child, report, failed }: { child: string; report: string; failed: boolean },
): EntryDraft {
  const content = [
    '<task-notification>',
    `<task-id>${withoutTags(child)}</task-id>`,
    `<status>${failed ? 'failed' : 'completed'}</status>`,
    `<result>\n${withoutTags(report)}\n</result>`,
    '</task-notification>',
  ].join('\n')
  const message = { role: 'user', content } as const
  return { kind: 'message', at: now(), origin: 'harness', message, metadata: { received: child } }
}

function withoutTags(text: string): string {
  return text.replace(/<(\/?(?:task-notification|task-id|status|result))>/g, '&lt;$1>')
}
