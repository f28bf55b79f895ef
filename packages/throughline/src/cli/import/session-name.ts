import { basename, extname } from 'node:path'
import { usage } from '../parse-arguments.ts'
import { canBeTyped, checkedName } from '../store/checked-name.ts'
import type { SessionOutside } from '../store/choose-session.ts'

/**
 * The name that an imported session gets: what was asked for, else the harness's own id, else that
 * of its file. What nobody could type is passed over.
 * @throws UsageError
 */
export function sessionName(
  asked: string | undefined,
  id: string | undefined,
  chosen: SessionOutside,
): string {
  if (asked !== undefined) return checkedName('import', asked)
  const name = [id, outsideName(chosen)].find((each) => each !== undefined && canBeTyped(each))
  if (name !== undefined) return name
  throw usage('import', 'the session says no name of its own: give it one with --as NAME')
}

function outsideName(chosen: SessionOutside): string {
  if (chosen.type === 'found') return chosen.session.id
  return chosen.path === '-' ? '' : basename(chosen.path, extname(chosen.path))
}
