import { abortable } from '../../compaction/abortable.ts'
import { Background } from './background.ts'
import { compactSession } from './compact-session.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { Trigger } from '../../compaction/plan/plan.ts'
import type { Report } from '../../compaction/report.ts'
import type { Seq } from '../../log/entry.ts'
import type { Internals } from '../internals.ts'
import type { CompactRequest } from '../options.ts'

/** The compactions of a session, one after the other, and the summaries prepared for them. */
export class Compactions {
  readonly #session: Internals
  readonly #background: Background
  readonly #inTurn = oneAtATime()

  constructor(session: Internals) {
    this.#session = session
    this.#background = new Background(session)
  }

  /** One at a time; an aborted caller doesn't wait for those before it. */
  compact(trigger: Trigger, request: CompactRequest & { since?: Seq }): Promise<Report> {
    const asked = { since: this.#session.views.context().seq, ...request, trigger }
    return abortable(
      this.#inTurn(() => compactSession(this.#session, this.#background, asked)),
      request.signal,
    )
  }

  /** Aborts the summary that is being prepared, if one is; one that is ready stays. */
  async stopPreparing(): Promise<void> {
    await this.#background.stop()
  }

  /** Prepares nothing any more. */
  async close(): Promise<void> {
    await this.#background.close()
  }
}
