import type { InstalledSession } from '../../harnesses/install/install-session.ts'
import type { GoesTo } from './goes-to.ts'

/** The object printed by `--install --json`. */
export function installJson(
  session: string,
  { how, file, resume }: InstalledSession,
  { destination, directory }: GoesTo,
  tokens: { before: number; after: number },
) {
  const { name: harness } = destination
  return {
    version: 1,
    harness,
    session,
    how,
    file: file ?? null,
    directory,
    commands: resume,
    tokens,
  }
}
