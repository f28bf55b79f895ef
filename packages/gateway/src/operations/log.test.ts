import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { PostgresError } from '../postgres/errors.ts'

it('what goes wrong for every request is said once in a minute, and how often it was', () => {
  const lines: { problem: string; again?: number }[] = []
  let now = 0
  const write = (line: string): void => void lines.push(JSON.parse(line))
  const log = createLog('info', { write }, () => now)
  const away = new PostgresError({ failure: 'unreachable', problem: 'ECONNREFUSED' })
  const full = new PostgresError({ failure: 'full', problem: '53100' })
  for (let times = 0; times < 5; times++) log.problem(away, 'something failed')
  log.problem(full, 'something failed')
  now += 61_000
  log.problem(away, 'something failed')
  log.problem(full, 'something failed')
  expect(lines.map(({ problem, again }) => [problem, again])).toEqual([
    [away.message, undefined],
    [full.message, undefined],
    [away.message, 4],
    [full.message, undefined],
  ])
})
