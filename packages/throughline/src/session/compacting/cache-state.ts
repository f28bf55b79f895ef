import type { CacheState } from '../../compaction/cold-cache.ts'
import type { EntryOf } from '../../log/entry.ts'

/** What the state of a cache is read from. */
interface Watched {
  options: { model?: string | undefined }
  stored: { recent: readonly { kind: string }[] }
  now: () => number
}

/** What the gate knows of the provider's cache: a state of this process. */
export class CacheWatch {
  #asked: { model: string | undefined } | undefined

  state({ options, stored, now }: Watched): CacheState {
    const answer = stored.recent.findLast(isAnswer)
    const { model } = options
    return {
      // Some formats do not know when something was said.
      idle: answer && answer.at > 0 ? Math.max(0, now() - answer.at) : undefined,
      resumed: this.#asked === undefined && answer !== undefined,
      otherModel: this.#asked
        ? this.#asked.model !== model
        : answer?.model !== undefined && model !== undefined && !isSame(answer.model, model),
    }
  }

  /** The request passes the gate. */
  passed({ options }: Pick<Watched, 'options'>): void {
    this.#asked = { model: options.model }
  }
}

function isAnswer(entry: { kind: string }): entry is EntryOf<'message'> {
  return entry.kind === 'message' && (entry as EntryOf<'message'>).message.role === 'assistant'
}

/** Providers answer with longer names than they are asked by: with a date, or without their own. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [ownName(one), ownName(other)]
  return a.startsWith(b) || b.startsWith(a)
}

function ownName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).toLowerCase()
}
