import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { factsStated, parseExam } from 'throughline/evaluation'
import { usualExams } from './exams.ts'

const judge = join(usualExams, 'score.py')
const found = existsSync(judge)
const cases = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8']

describe.skipIf(!found)(`facts stated${found ? '' : ` (skipped: no ${judge})`}`, () => {
  it.each(cases)('are those that the judge of the exams finds in an answer to %s', async (name) => {
    const exam = parseExam(await readFile(join(usualExams, `${name}.json`), 'utf8'))
    for (const length of ['short', 'long']) {
      const answer = join(usualExams, 'answers', `${name}.${length}.md`)
      const missed = missedByJudge(name, answer)
      const ours = factsStated(exam, await readFile(answer, 'utf8')).map(({ id }) => id)
      const all = exam.facts.map(({ id }) => id)
      expect({ length, ids: ours }).toEqual({ length, ids: all.filter((id) => !missed.has(id)) })
      expect(ours.length).toBeGreaterThan(10)
    }
  })
})

function missedByJudge(exam: string, text: string): Set<string> {
  const args = [judge, join(usualExams, `${exam}.json`), text, '--missed']
  const lines = execFileSync('python3', args, { encoding: 'utf8' })
  return new Set([...lines.matchAll(/^ +- (\S+) /gm)].map(([, id]) => id ?? ''))
}
