import { stat } from 'node:fs/promises'
import { memoryStore } from '../../stores/memory.ts'
import { CommandError } from '../errors.ts'
import { explainError } from '../explain-error.ts'
import { cannotRead } from '../input/open-session.ts'
import { readInput } from '../input/read-input.ts'
import { pathFrom } from '../path-from.ts'
import type { RecallSource, StoredIn } from '../../integrations/mcp/recall-source.ts'
import type { Io } from '../io.ts'

const session = 'session'

/**
 * The session in a client's file, read again when the file has changed. When that fails, what
 * was read before still holds, and standard error says why.
 * @throws CommandError if it cannot be read at first.
 */
export async function sessionFile(path: string, io: Io): Promise<RecallSource> {
  let stamp = await stampOf(path, io)
  let found = await readInto(path, io)
  return {
    choice: 'one',
    async find() {
      try {
        const now = await stampOf(path, io)
        if (now === stamp) return found
        found = await readInto(path, io)
        stamp = now
      } catch (error) {
        await explainError(error, io)
      }
      return found
    },
  }
}

async function readInto(path: string, io: Io): Promise<StoredIn> {
  const { log } = await readInput(path, io, { quiet: true })
  const store = memoryStore()
  await store.append(session, log)
  return { store, session }
}

/** Another one after every change. */
async function stampOf(path: string, { cwd }: Io): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(pathFrom(cwd, path), { bigint: true })
    return [ino, size, mtimeNs].join()
  } catch (cause) {
    throw new CommandError(cannotRead(path, cause), { cause })
  }
}
