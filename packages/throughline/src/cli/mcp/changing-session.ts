import { stat } from 'node:fs/promises'
import { memoryStore } from '../../stores/memory.ts'
import { CommandError } from '../errors.ts'
import { explainError } from '../explain-error.ts'
import { cannotRead, codeOf } from '../input/open-session.ts'
import { pathFrom } from '../path-from.ts'
import { readOutside } from '../store/read-session.ts'
import type { RecallSource, StoredIn } from '../../integrations/mcp/recall-source.ts'
import type { Io } from '../io.ts'
import type { SessionOutside } from '../store/choose-session.ts'

const session = 'session'

/**
 * A session that its client goes on writing to, read again when its file has changed. When that
 * fails, what was read before still holds, and standard error says why.
 * @throws CommandError if it cannot be read at first.
 */
export async function changingSession(chosen: SessionOutside, io: Io): Promise<RecallSource> {
  let stamp = await stampOf(chosen, io)
  let found = await readInto(chosen, io)
  return {
    choice: 'one',
    async find() {
      try {
        const now = await stampOf(chosen, io)
        if (now === stamp) return found
        found = await readInto(chosen, io)
        stamp = now
      } catch (error) {
        await explainError(error, io)
      }
      return found
    },
  }
}

async function readInto(chosen: SessionOutside, io: Io): Promise<StoredIn> {
  const { log } = await readOutside(chosen, io, { quiet: true })
  const store = memoryStore()
  await store.append(session, log)
  return { store, session }
}

/** Another one after every change. */
async function stampOf(chosen: SessionOutside, { cwd }: Io): Promise<string> {
  const path = chosen.type === 'file' ? chosen.path : chosen.session.file
  try {
    return [await stampOfFile(pathFrom(cwd, path)), await stampOfLog(chosen)].join()
  } catch (cause) {
    throw new CommandError(cannotRead(path, cause), { cause })
  }
}

async function stampOfFile(file: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true })
  return [ino, size, mtimeNs].join()
}

/** What is new in a database stands beside it at first. */
async function stampOfLog(chosen: SessionOutside): Promise<string> {
  if (chosen.type === 'file' || chosen.session.type !== 'database') return ''
  return stampOfFile(`${chosen.session.file}-wal`).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
}
