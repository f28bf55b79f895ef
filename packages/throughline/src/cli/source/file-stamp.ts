import { stat } from 'node:fs/promises'
import { pathFrom } from '../paths.ts'
import type { Io } from '../io.ts'
import type { SessionOutside } from './choose-session.ts'

/** A text that changes whenever the file of a session does; of a missing file, an empty one. */
export async function fileStamp(chosen: SessionOutside, { cwd }: Io): Promise<string> {
  const path = chosen.type === 'file' ? pathFrom(cwd, chosen.path) : chosen.session.file
  // A database keeps what is new in a second file.
  const stamps = await Promise.all([path, `${path}-wal`].map(stampOf))
  return stamps.join(' ').trim()
}

async function stampOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ ino, size, mtimeNs }) => [ino, size, mtimeNs].join(),
    () => '',
  )
}
