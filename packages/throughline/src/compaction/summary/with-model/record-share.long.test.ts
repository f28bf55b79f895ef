import { expect, it } from 'vitest'
import { openSession } from '../../../session/session.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { estimateTokens } from '../../../tokens/estimate.ts'
import { assistant, human, step } from '../../../testing/generate/build.ts'
import { listsOtherNames } from '../../../facts/labels.ts'
import { keptLabel, recordLabel } from './from-record.ts'
import type { Summarizer } from './summarizer.ts'

const verbs = ['reads', 'writes', 'parses', 'prints', 'keeps', 'drops', 'sorts', 'merges']

/** An answer that says other things each time, and never repeats our lines: 30 tokens for each of `count`. */
function answer(round: number, count: number): string {
  const line = (at: number): string =>
    `- Module m${round}x${at} ${verbs[at % verbs.length]} its table by offset ${at * 31 + round}, because the older way copied ${at + 3} buffers for each token.`
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, at) => line(from + at)).join('\n')
  return `## Goal\nMake the lexer fast, round ${round}.\n\n## Instructions\n(none)\n\n## Discoveries\n${lines(0, count / 2)}\n\n## Accomplished\n${lines(count / 2, count)}\n\n## Relevant files\n- src/m${round}.ts: reads by offsets`
}

const branches = Array.from({ length: 150 }, (_, at) => `  remotes/origin/topic-${at}-lexer`)

/** The blocks of five generations, and how many words the model was asked for each time. */
async function generations(count: number): Promise<{ blocks: string[]; asked: number[] }> {
  const asked: number[] = []
  let round = 0
  const summarizer: Summarizer = {
    name: 'model',
    summarize: async ({ instruction, previous }) => {
      const [, words = '0'] = /([\d,]+) words/.exec(instruction) ?? []
      asked.push(Number(words.replaceAll(',', '')))
      // What code added from the log is no part of what a model has to read again.
      expect(previous ?? '').not.toContain(recordLabel)
      return { text: answer(++round, count), finish: 'stop', calls: [] }
    },
  }
  const window = { context: 60_000 }
  const session = await openSession({ store: memoryStore(), id: 'a', window, summarizer })
  await session.append(human('Make the lexer fast. Never push to main.'))
  const blocks: string[] = []
  for (let at = 0; blocks.length < 5; at++) {
    const path = `src/part${at % 40}/file${at}.ts`
    const code = Array.from({ length: 60 }, (_, n) => `export function read${at}Token${n}() {}`)
    await session.append(
      ...step(`r${at}`, 'Read', { file_path: path }, code.join('\n')),
      ...step(`e${at}`, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' }, 'ok'),
      ...step(`b${at}`, 'Bash', { command: 'git branch -a' }, branches.join('\n')),
      assistant(`The reader of file${at} was slow because it copied; now it reads by offsets.`),
    )
    if ((await session.fit()).action !== 'summary') continue
    const [first] = session.context().items
    blocks.push(first?.type === 'summary' ? first.summary : '')
  }
  return { blocks, asked }
}

const mostLines = 150

it.each([mostLines, 30])(
  'names stay a tenth of the block, in the fifth generation as in the first, whatever a model says: %s lines',
  async (count) => {
    const { blocks } = await generations(count)
    for (const [at, block] of blocks.entries()) {
      const lines = block.split('\n')
      const label = lines.indexOf('Names from the record:')
      const names = lines.filter((line, at) => (label >= 0 && at > label) || listsOtherNames(line))
      const share = estimateTokens(names.join('\n')) / estimateTokens(block)
      expect(share, `generation ${at + 1}`).toBeLessThanOrEqual(0.1)
    }
  },
)

it('what code adds stays a quarter of the block, in the fifth generation as in the first', async () => {
  const { blocks, asked } = await generations(mostLines)
  for (const [at, block] of blocks.entries()) {
    const lines = block.split('\n')
    const size = estimateTokens(block)
    const said = new Set(answer(at + 1, mostLines).split('\n'))
    const own = estimateTokens(lines.filter((line) => said.has(line)).join('\n'))
    expect((size - own) / size, `generation ${at + 1}`).toBeLessThan(0.27)
    // One heading in each of three sections at most, and none inside another.
    expect(lines.filter((line) => line === keptLabel).length).toBeLessThanOrEqual(3)
    expect(block).not.toContain('topic-7-lexer')
  }
  expect(Math.min(...asked)).toBeGreaterThan(Math.max(...asked) * 0.8)
})
