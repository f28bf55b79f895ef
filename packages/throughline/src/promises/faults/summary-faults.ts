import { coreHeadings } from '../../facts/sections.ts'
import type { Answering, Fault } from './fault.ts'
import type { ServedAnswer } from '../../testing/provider/index.ts'

/** Stands in every answer that is no summary, and beside some: none of it may reach the context. */
export const badWords = 'Nothing of this is true'

/** Stands in every summary that is partial: what is missing is completed, and the words stay. */
const partialWords = 'This much was understood'

function says(answer: ServedAnswer): Answering {
  return () => answer
}

const sections = (body: string): string =>
  coreHeadings.map((heading) => `## ${heading}\n${body}`).join('\n\n')

const soon = { retryAfter: 1 }

/** What a provider can do to the requests for a summary, each time that it is asked. */
export const summaryFaults: readonly Fault[] = [
  { name: 'an empty summary', summary: says({ text: '' }) },
  {
    name: 'a summary that is cut off',
    summary: says({ text: sections(partialWords), finish: 'length' }),
  },
  {
    name: 'a tool call instead of a summary',
    summary: says({ text: badWords, calls: [{ name: 'read', input: { path: 'src/part-1.ts' } }] }),
  },
  {
    name: 'a refusal instead of a summary',
    summary: says({ text: `I’m sorry, but I can’t help with that. ${badWords}.` }),
  },
  {
    name: 'a summary stopped by a content filter',
    summary: says({ text: badWords, finish: 'content-filter' }),
  },
  {
    name: 'a summary and headings in another language',
    summary: says({
      text: `## Ziel\nAlle Teile lesen. ${partialWords}.\n\n## Stand\nDrei gelesen.`,
    }),
  },
  {
    name: 'a summary larger than the text it summarizes',
    summary: says({ text: sections(`${partialWords}. `.repeat(2_000)) }),
  },
  {
    name: 'a summary without most of its sections',
    summary: says({ text: `## ${coreHeadings[0]}\n${partialWords}.` }),
  },
  {
    name: 'a summary behind thinking, inside tags',
    summary: says({
      text: `<think>\n${badWords}.\n</think>\n${badWords}:\n<summary>\n${sections(partialWords)}\n</summary>\n${badWords}.`,
    }),
  },
  {
    name: 'a summary that names nonexistent files',
    summary: says({ text: sections('`src/never/was-there.ts` is read.') }),
  },
  { name: 'overflow for every summary', summary: says({ refuses: 'overflow' }) },
  { name: '429 for every summary', summary: says({ refuses: 'rate-limit', ...soon }) },
  { name: '500 for every summary', summary: says({ refuses: 'failure', ...soon }) },
  { name: '529 or 503 for every summary', summary: says({ refuses: 'overloaded', ...soon }) },
  {
    name: 'the connection breaks during every summary',
    summarizer: { maxRetries: 0 },
    summary: says({ text: badWords, breaks: true }),
  },
  {
    name: 'no summary ever comes',
    summarizer: { timeout: 100 },
    summary: says({ hangs: 'before' }),
  },
]
