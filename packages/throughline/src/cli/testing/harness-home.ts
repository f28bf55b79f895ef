import { join } from 'node:path'
import { harnesses } from '../../formats/harnesses.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { put } from '../../harnesses/testing/temporary.ts'
import { opencodeDatabase } from '../../harnesses/testing/opencode-database.ts'
import { newDirectory } from './run-main.ts'

/** An artificial home folder in which harnesses keep sessions. */
export interface HarnessHome {
  home: string
  env: Record<string, string>
  /** Puts a session where its harness would, and returns its path. */
  put: (name: string, id: string, text: string, at?: number) => string
  /** Puts exported sessions into opencode's database. */
  putInDatabase: (sessions: Parameters<typeof opencodeDatabase>[1]) => string
}

export function harnessHome(): HarnessHome {
  const home = newDirectory()
  const env = { HOME: home, USERPROFILE: home, XDG_DATA_HOME: join(home, 'data') }
  return {
    home,
    env,
    put(name, id, text, at = Date.UTC(2026, 0, 1)) {
      const harness = harnesses.find((each) => each.name === name)
      const [root = ''] = harness?.roots(surroundingsOf(env)) ?? []
      const path = harness?.placeFor({ session: id, directory: '/code/app', now: at }) ?? ''
      return put(join(root, path), text, at)
    },
    putInDatabase(sessions) {
      const file = join(env.XDG_DATA_HOME, 'opencode', 'opencode.db')
      opencodeDatabase(file, sessions)
      return file
    },
  }
}
