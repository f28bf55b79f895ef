import { describe, expect, it } from 'vitest'
import { askedFor } from './arguments.ts'
import { mutantsPage } from './page.ts'
import { picked } from './rooms/sample.ts'
import { scoreOf, type TriedMutant } from './rooms/score.ts'

const mutants = Array.from({ length: 100 }, (_, index) => ({
  id: `${index}`,
  fileName: '/a/sandbox-1/packages/throughline/src/log/a.ts',
  mutatorName: 'BooleanLiteral',
  replacement: 'true',
  location: { start: { line: index, column: 1 }, end: { line: index, column: 2 } },
}))

describe('a sample', () => {
  it('is the same for the same seed, whatever the sandbox is called', () => {
    const ids = (seed: string, folder = 'sandbox-1'): string[] =>
      picked(
        mutants.map((mutant) => ({
          ...mutant,
          fileName: mutant.fileName.replace('sandbox-1', folder),
        })),
        { size: 10, seed },
      ).map(({ id }) => id)
    expect(ids('1')).toHaveLength(10)
    expect(ids('1', 'sandbox-2')).toEqual(ids('1'))
    expect(ids('2')).not.toEqual(ids('1'))
  })
})

describe('the score of a room', () => {
  const location = { start: { line: 1, column: 2 }, end: { line: 1, column: 6 } }
  const of = (...statuses: TriedMutant['status'][]): TriedMutant[] =>
    statuses.map((status) => ({
      file: 'log/a.ts',
      source: 'const a =\n  true\n',
      mutant: { mutatorName: 'BooleanLiteral', replacement: 'false', location },
      status,
    }))

  it('counts what no test covers as not caught', () => {
    const run = scoreOf(of('Killed', 'Timeout', 'Survived', 'NoCoverage'), {
      room: 'log',
    })
    expect(run).toMatchObject({ mutants: 4, tried: 3, caught: 2, uncovered: 1, score: 50 })
    expect(run.survivors).toEqual([
      { file: 'log/a.ts', line: 2, was: 'true', became: 'false', covered: true },
      { file: 'log/a.ts', line: 2, was: 'true', became: 'false', covered: false },
    ])
  })

  it('of a sample is what it would be if the others were like those that were tried', () => {
    const sample = { size: 4, seed: '1' }
    const untried = Array.from({ length: 4 }, () => 'Untried' as const)
    const statuses: TriedMutant['status'][] = [
      'Killed',
      'Killed',
      'Killed',
      'Survived',
      ...untried,
      'NoCoverage',
      'NoCoverage',
    ]
    const run = scoreOf(of(...statuses), { room: 'log', sample })
    // Three of four, for the eight of ten that some test covers.
    expect(run).toMatchObject({ mutants: 10, tried: 4, score: 60 })
    expect(mutantsPage({ rooms: [run], guards: [] })).toContain('60.0%')
  })
})

describe('the command', () => {
  it('takes rooms, a sample and promises', () => {
    expect(askedFor(['log', '--sample', '20', '--seed', 'x'])).toEqual({
      does: 'rooms',
      rooms: ['log'],
      sample: { size: 20, seed: 'x' },
      patience: 20,
    })
    expect(askedFor([])).toMatchObject({ rooms: ['log', 'compaction', 'session'] })
    expect(askedFor(['--guards', 'G5'])).toEqual({ does: 'guards', wanted: ['G5'] })
    expect(() => askedFor(['--sample', 'many'])).toThrow('--sample takes a number of at least 1')
  })
})
