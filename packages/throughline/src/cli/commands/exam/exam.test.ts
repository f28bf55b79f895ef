import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startProvider, type ScriptedProvider } from '../../../testing/provider/index.ts'
import { newTestStore } from '../../testing/new-store.ts'

const providers: ScriptedProvider[] = []
afterAll(async () => {
  for (const provider of providers) await provider.close()
})

const summary = `## Goal
Make the features work.

## Instructions
(none)

## Discoveries
The parser of feature nine reads its values twice, which is why they were wrong at first.

## Accomplished
${'All features were made one after the other, and each of them was tried after its own edit. '.repeat(25)}

## Relevant files
- src/part0/file1.ts`

/** A model that knows which context it reads, and says so to nobody. */
async function examiner({ failsAt = Infinity } = {}) {
  let asked = 0
  const started = await startProvider({
    script: ({ said }) => {
      asked += 1
      if (asked === failsAt) return { refuses: 'illegal' }
      const text = said.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      if (text.includes('You examine')) {
        const questions = [1, 2, 3, 4].map((n) => ({
          question: `What is ${n}?`,
          answer: `It is ${n}.`,
        }))
        return { text: `Here:\n${JSON.stringify(questions)}`, usage: { input: 1_000, output: 100 } }
      }
      if (text.includes('from the context alone')) {
        const knows = text.includes('## Goal')
        return {
          text: JSON.stringify(['It is 1.', knows ? 'It is 2.' : 'It is 7.', 'unknown', '']),
        }
      }
      if (!text.includes('Grade answers')) return { text: summary }
      const given = text.match(/Given: .*/g) ?? []
      return { text: JSON.stringify(given.map((one) => (one.includes('7') ? 'wrong' : 'right'))) }
    },
  })
  providers.push(started)
  return started
}

const modelAt = ({ url }: ScriptedProvider): string[] =>
  '--model my-model --base-url URL -n 4 --yes'
    .split(' ')
    .map((word) => (word === 'URL' ? `${url}/v1` : word))

describe('exam', () => {
  it('says without a model what each context still states', async () => {
    const { run, directory } = newTestStore()
    const { code, out } = await run(['exam', 'session.jsonl', '--keep', '1k'])
    expect(code).toBe(0)
    expect(out).toMatch(/^session\.jsonl, cut after entry \d+, in its middle: /)
    expect(out).toMatch(/Throughline, no model +[\d,]+ +\d+\/\d+ +(?:–|\d+\/\d+) +(?:–|\d+\/\d+)\n/)
    expect(out).toContain('newest messages alone')
    expect(existsSync(join(directory, 'throughline-exam.json'))).toBe(false)
  })

  it('lets a model examine, and keeps questions, answers and grades', async () => {
    const { run, directory } = newTestStore()
    const provider = await examiner()
    const argv = ['exam', 'session.jsonl', '--keep', '1k', ...modelAt(provider)]
    const { code, out } = await run(argv)
    expect(code).toBe(0)
    expect(out).toMatch(/Throughline, no model .* 50% \(15%–85%\) +0 +2\n/)
    expect(out).toMatch(/newest messages alone .* 25% \(5%–70%\) +1 +2\n/)
    expect(out).toContain('4 questions')
    const { exam: kept } = JSON.parse(
      readFileSync(join(directory, 'throughline-exam.json'), 'utf8'),
    )
    expect(kept.questions).toHaveLength(4)
    expect(kept.grades['newest messages alone']).toEqual(['right', 'wrong', 'unknown', 'unknown'])
    const grading = provider.requests.at(-1)?.said ?? []
    expect(JSON.stringify(grading)).not.toMatch(/Throughline|newest messages/)
  })

  it('goes on after an interruption, and pays for nothing twice', async () => {
    const { run } = newTestStore()
    const broken = await examiner({ failsAt: 3 })
    const argv = ['exam', 'session.jsonl', '--keep', '1k']
    const first = await run([...argv, ...modelAt(broken)])
    expect(first.code).toBe(1)
    expect(first.err).toMatch(/^my-model will read [^\n]+\nthroughline: [^\n]+\n$/)
    const healthy = await examiner()
    const second = await run([...argv, ...modelAt(healthy)])
    expect(second.code).toBe(0)
    // One context was left to answer from, and all grades.
    expect(healthy.requests).toHaveLength(2)
  })

  it('tells the model who said what', async () => {
    const { run } = newTestStore()
    const provider = await examiner()
    await run(['exam', 'session.jsonl', '--keep', '1k', ...modelAt(provider)])
    const [asked] = provider.requests
    expect(JSON.stringify(asked?.said)).toMatch(/\[user\]\\n.*\[call of \w+\]/)
  })

  it('leaves a file alone that holds anything else', async () => {
    const { run, directory } = newTestStore()
    const provider = await examiner()
    const file = join(directory, 'throughline-exam.json')
    const argv = ['exam', 'session.jsonl', '--keep', '1k', ...modelAt(provider)]
    await run(argv)
    const kept = readFileSync(file, 'utf8')
    const other = await run([...argv, '--at', '40'])
    expect(other.code).toBe(1)
    expect(other.err).toMatch(/holds another exam, or something else. Name another file with -o/)
    expect(readFileSync(file, 'utf8')).toBe(kept)
  })

  it('pays once for the summary of the model that it examines', async () => {
    const { run } = newTestStore()
    const broken = await examiner({ failsAt: 3 })
    const argv = ['exam', 'session.jsonl', '--keep', '1k', '--summaries']
    expect((await run([...argv, ...modelAt(broken)])).code).toBe(1)
    const healthy = await examiner()
    const { code, out } = await run([...argv, ...modelAt(healthy)])
    expect(code).toBe(0)
    expect(out).toContain('Throughline, my-model')
    const summaries = ({ requests }: ScriptedProvider) =>
      requests.filter(
        ({ said }) =>
          !/You examine|from the context alone|Grade answers/.test(JSON.stringify(said)),
      )
    expect(summaries(broken)).not.toEqual([])
    expect(summaries(healthy)).toEqual([])
  })

  it('examines no other summary in place of the model’s', async () => {
    const { run } = newTestStore()
    const provider = await startProvider({ script: () => ({ text: 'I cannot help with that.' }) })
    providers.push(provider)
    const argv = ['exam', 'session.jsonl', '--keep', '1k', '--summaries', ...modelAt(provider)]
    const { code, out, err } = await run(argv)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^my-model will read [^\n]+\nthroughline: the model wrote no summary that can be used \([^\n]+\n$/,
    )
  })

  it.each([
    ['key', /answers 401: .* THROUGHLINE_API_KEY in the environment\. The same command goes on/],
    ['model', /Check the name of the model\. The same command goes on/],
    ['illegal', /answers 400\. Name another model: .*\. The same command goes on/],
  ] as const)('says in one line that the provider refused the %s', async (refuses, says) => {
    const { run } = newTestStore()
    const provider = await startProvider({ script: () => ({ refuses }) })
    providers.push(provider)
    const { code, err } = await run(['exam', 'session.jsonl', ...modelAt(provider)])
    expect(code).toBe(1)
    expect(err).toMatch(says)
    expect(err).toMatch(/^my-model will read [^\n]+\nthroughline: [^\n]+\n$/)
    expect(err).not.toContain('internal error')
  })

  it.each([[[]], [['--summaries']]])('asks before it spends, with %j', async (more) => {
    const { run } = newTestStore()
    const provider = await examiner()
    const all = ['exam', 'session.jsonl', ...more, ...modelAt(provider)]
    const argv = all.filter((word) => word !== '--yes')
    const { code, err } = await run(argv)
    expect(code).toBe(2)
    expect(err).toMatch(/my-model will read about [\d,]+ tokens .*the price is unknown. Go on\?/)
    expect(provider.requests).toEqual([])
  })

  it('says in one line what a model answered that cannot be read', async () => {
    const { run } = newTestStore()
    const provider = await startProvider({ script: () => ({ text: 'I would rather not.' }) })
    providers.push(provider)
    const { code, err } = await run(['exam', 'session.jsonl', ...modelAt(provider)])
    expect(code).toBe(1)
    expect(err).toMatch(
      /^my-model will read [^\n]+\nthroughline: the model should have answered with a JSON array[^\n]+\n$/,
    )
  })

  it.each([
    [['--questions', '0'], /--questions must be a number from 1 to 999/],
    [['--at', 'x'], /--at must be the number of an entry/],
    [['--at', '999999'], /needs entries before and after/],
    [['--summaries'], /--summaries needs --model/],
    [['-n', '3'], /--questions needs --model/],
    [['-o', 'exam.json'], /--output needs --model/],
    [['--base-url', 'http://127.0.0.1'], /--base-url needs --model.* throughline exam --help/],
  ])('refuses %j', async (argv, says) => {
    const { run } = newTestStore()
    const { code, err } = await run(['exam', 'session.jsonl', ...argv])
    expect(code).toBeGreaterThan(0)
    expect(err).toMatch(says)
  })
})
