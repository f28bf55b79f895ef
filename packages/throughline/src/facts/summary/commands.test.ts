import { describe, expect, it } from 'vitest'
import { factsOf } from '../facts-of.ts'
import { logFrom, step } from '../../testing/generate/build.ts'
import { commands, newestChecks, rankedCommands } from './commands.ts'
import { worthIn } from './ranking.ts'
import { Room } from './room.ts'
import { summarizeLocally } from '../../compaction/summary/local/summarize-locally.ts'

const ran = (id: string, command: string, output = 'ok') => step(id, 'bash', { command }, output)
const failed =
  'FAIL src/a.test.ts > counts\nAssertionError: expected 1\n\nCommand exited with code 1'
const edit = step('2', 'Edit', { file_path: 'src/a.ts', old_string: 'a' }, 'ok')

function standing(...entries: ReturnType<typeof ran>[]): string[] {
  return newestChecks(factsOf(logFrom(entries))).map(({ command }) => command)
}

describe('the checks that say where the work stands', () => {
  it('leave out a failure whose tests passed in a wider run', () => {
    const one = ran('1', 'npx vitest run src/a.test.ts', failed)
    const wide = ran('3', 'npx vitest run src/a && npx oxlint src')
    expect(standing(one)).toEqual(['npx vitest run src/a.test.ts'])
    expect(standing(one, edit, wide)).toEqual(['npx vitest run src/a && npx oxlint src'])
    expect(standing(one, edit, ran('3', 'npx vitest run src/b'))).toHaveLength(2)
  })

  it('leave out what later ones say part by part', () => {
    const all = ran('1', 'mise run fmt && mise run lint && mise run test')
    const lint = ran('2', 'mise run fmt && mise run lint')
    const test = ran('3', 'mise run test')
    expect(standing(all, lint, test)).toHaveLength(2)
    expect(standing(all, lint)).toHaveLength(2)
  })
})

it('a command whose failure is solved is told as solved, not as failed', () => {
  const ranked = (...entries: ReturnType<typeof ran>[]): string[] => {
    const facts = factsOf(logFrom(entries))
    return rankedCommands(facts, worthIn({ seq: facts.seq, focus: undefined })).map(
      ({ command }) => command,
    )
  }
  const one = ran('1', 'npx vitest run src/a.test.ts', failed)
  expect(ranked(one)).toHaveLength(1)
  expect(ranked(one, edit, ran('3', 'npx vitest run src'))).toEqual(['npx vitest run src'])
})

it('a command that only passes on words is told by these words', () => {
  const ranked = (...entries: ReturnType<typeof ran>[]): string[] => {
    const facts = factsOf(logFrom(entries))
    return rankedCommands(facts, worthIn({ seq: facts.seq, focus: undefined })).map(
      ({ command }) => command,
    )
  }
  const reply = 'gh api repos/a/b/pulls/7/comments/11/replies -f body="The lock is kept now."'
  expect(ranked(ran('1', reply), ran('2', 'mise run release'))).toEqual(['mise run release'])
  expect(ranked(ran('1', reply, failed))).toEqual([reply])
  const commit = 'git add -A && git commit -m "Move config.ts to src/"'
  expect(ranked(ran('1', commit, '[main 14d99b5] Move config.ts to src/'))).toEqual([])
  const tagged = `${commit} && git tag v1`
  expect(ranked(ran('1', tagged, '[main 14d99b5] Move config.ts to src/'))).toEqual([tagged])
})

it('what a command failed with is told once', () => {
  const line =
    "CMake Error at CMakeLists.txt:27 (find_package): could not find LLVM's configuration"
  const facts = factsOf(
    logFrom([ran('1', 'cmake -B build -S .', `${line}\n\nCommand exited with code 1`)]),
  )
  const worth = worthIn({ seq: facts.seq, focus: undefined })
  const told = (beside: string): string => {
    const room = new Room(2_000, (text) => Math.ceil(text.length / 4))
    return commands(facts, { room, tokens: 400, worth, beside }).join('\n')
  }
  expect(told('')).toContain('could not find LLVM')
  expect(told(`- cmake: ${line} [3]`)).toMatch(/cmake -B build -S \.` → failed \(exit 1\) \[/)
  const count = (text: string): number => Math.ceil(text.length / 4)
  const summary = summarizeLocally({ facts, budget: 8_000, count })
  expect(summary.split('could not find LLVM')).toHaveLength(2)
})
