import { memoryStore } from '../../../stores/memory.ts'
import { explainError } from '../../errors.ts'
import { fileStamp } from '../../source/file-stamp.ts'
import { readOutside } from '../../source/read-session.ts'
import type { RecallSource, StoredIn } from '../../../integrations/mcp/recall-source.ts'
import type { FindSource } from '../../../session/recall/follow-ref.ts'
import type { SessionOutside } from '../../source/choose-session.ts'
import type { Io } from '../../io.ts'

const session = 'session'

/**
 * A session that its client keeps writing to. It is read again when its file has changed, once for
 * all questions that arrive meanwhile. If that fails, the earlier content stays in use, and
 * standard error says why.
 * @throws CommandError if the first read fails.
 */
export async function changingSession(
  chosen: SessionOutside,
  io: Io,
  find?: FindSource,
): Promise<RecallSource> {
  let stamp = await fileStamp(chosen, io)
  let found = { ...(await readInto(chosen, io)), ...(find && { find }) }
  let reading: Promise<StoredIn> | undefined

  async function readAgain(): Promise<StoredIn> {
    try {
      const now = await fileStamp(chosen, io)
      if (now === stamp) return found
      found = { ...(await readInto(chosen, io)), ...(find && { find }) }
      stamp = now
    } catch (error) {
      await explainError(error, io)
    }
    return found
  }

  return {
    choice: 'one',
    async find() {
      reading ??= readAgain().finally(() => (reading = undefined))
      return reading
    },
  }
}

async function readInto(chosen: SessionOutside, io: Io): Promise<StoredIn> {
  const { log, facts } = await readOutside(chosen, io, { quiet: true })
  const { window } = facts
  const store = memoryStore()
  await store.append(session, log)
  const own = chosen.type === 'found' ? chosen.session.id : undefined
  return {
    store,
    session,
    ...(own !== undefined && { own }),
    ...(window !== undefined && { window }),
  }
}
