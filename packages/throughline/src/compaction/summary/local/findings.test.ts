import { expect, it } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import { unresolvedErrors } from '../../../facts/summary/unresolved-errors.ts'
import { worthIn } from '../../../facts/summary/ranking.ts'
import { Room } from '../../../facts/summary/room.ts'

const failed = "Error: Cannot find module './config.js'\n\nCommand exited with code 1"
const errors = (command: string, ...later: ReturnType<typeof human>[]): string[] => {
  const log = logFrom([human('Move it.'), step('a', 'bash', { command }, failed), ...later])
  const facts = factsOf(log)
  const room = new Room(2_000, (text) => Math.ceil(text.length / 4))
  return unresolvedErrors(facts, {
    room,
    tokens: 400,
    worth: worthIn({ seq: facts.seq, focus: undefined }),
  })
}
const turn = [assistant('It is moved.'), human('Now the tests.')]

it.each([`npx tsx -e "import './config.js'"`, `python3 -c "import config"`, `node --eval 'x()'`])(
  'what %s met is no open error in a later turn',
  (command) => {
    expect(errors(command)).toHaveLength(2)
    expect(errors(command, ...turn)).toEqual([])
  },
)

it.each(['npm test -- -e production', 'node server.js', 'python3 manage.py check'])(
  'what %s met is open until something shows that it is gone',
  (command) => {
    expect(errors(command, ...turn)).toHaveLength(2)
  },
)

it('what failed once is not waited for when the human has spoken past it, and a failing test is', () => {
  const run = (id: string, command: string, output: string) =>
    step(id, 'Bash', { command }, `Exit code 1\n${output}`)
  const log = (turns: number) =>
    logFrom([
      human('Go on.'),
      run('1', 'cp notes.txt /mnt/backup', 'cp: error: the disk is full'),
      run('2', 'npm test', 'FAIL src/export.test.ts: expected 3 sums'),
      Array.from({ length: turns }, (_, at) => [human(`And now ${at}.`), assistant('So it is.')]),
    ])
  const told = (turns: number): string => {
    const facts = factsOf(log(turns))
    const worth = worthIn({ seq: facts.seq, focus: undefined })
    const room = new Room(2_000, (text) => Math.ceil(text.length / 4))
    return unresolvedErrors(facts, { room, worth, tokens: 400 }).join('\n')
  }
  expect(told(2)).toContain('disk is full')
  expect(told(4)).not.toContain('disk is full')
  expect(told(4)).toContain('expected 3 sums')
})
