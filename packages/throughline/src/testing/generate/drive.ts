import { placed } from './build.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { openSession, type Session } from '../../session/session.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { Message } from '../../log/message.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { Report } from '../../compaction/report.ts'
import type { SessionOptions } from '../../session/session.ts'

/** What the model would have been sent at one point of a session. */
export interface SeenRequest {
  messages: Message[]
  tokens: number
  usable: number
  report: Report
  /** The newest entry that changed earlier content. */
  changedAt: number
}

export interface Driven {
  session: Session
  requests: SeenRequest[]
  /** What stopped the drive, if anything. */
  error: unknown
}

export type DriveOptions = Omit<SessionOptions, 'store' | 'id'>

/**
 * Feeds a session through the gate: a request is prepared before every assistant message. Half of all
 * sessions are pruned wherever that makes room, which by default is done only where it costs less.
 */
export async function drive(drafts: readonly EntryDraft[], options: DriveOptions): Promise<Driven> {
  const prunes = drafts.length % 2 === 0
  const session = await openSession({
    now: () => 0,
    policy: prunes ? { ...defaultPolicy, pruneAlone: () => true } : defaultPolicy,
    ...options,
    store: memoryStore(),
    id: 'driven',
  })
  const requests: SeenRequest[] = []
  for (const draft of drafts) {
    if (draft.kind === 'message' && draft.message.role === 'assistant') {
      try {
        requests.push(await request(session))
      } catch (error) {
        return { session, requests, error }
      }
    }
    await session.append(placed(draft, session.context().seq))
  }
  return { session, requests, error: undefined }
}

async function request(session: Session): Promise<SeenRequest> {
  const report = await session.fit()
  return {
    report,
    messages: session.messages(),
    tokens: session.measure().tokens,
    usable: session.budget().usable,
    changedAt: session.context().changedAt,
  }
}
