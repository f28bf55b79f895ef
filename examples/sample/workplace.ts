import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

// The story names files as they were then.
const storyCommit = '56fb9f26aaacac0d6e24f0852ff6b40105122a17'

/** A copy of this repository as the story knows it, to be worked in and thrown away. */
export interface Workplace {
  directory: string
  remove: () => void
}

// The commit of the copy is the same wherever and whenever it is made.
const author = {
  GIT_AUTHOR_NAME: 'dev',
  GIT_AUTHOR_EMAIL: 'dev@example.com',
  GIT_AUTHOR_DATE: '2026-01-14T18:00:00Z',
  GIT_COMMITTER_NAME: 'dev',
  GIT_COMMITTER_EMAIL: 'dev@example.com',
  GIT_COMMITTER_DATE: '2026-01-14T18:00:00Z',
}

export function createWorkplace(): Workplace {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-sample-')))
  const files = execFileSync('git', ['archive', storyCommit, '--', ':!examples'], {
    cwd: repository,
    maxBuffer: 2 ** 28,
  })
  execFileSync('tar', ['-x'], { cwd: directory, input: files })
  symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'))
  const git = (...words: string[]): void => {
    execFileSync('git', words, { cwd: directory, env: { ...process.env, ...author } })
  }
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(directory, '.git/info/exclude'), 'node_modules\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Bring in the library')
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
