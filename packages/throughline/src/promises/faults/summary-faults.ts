import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { emptyBody, noJson, page, unnamedAtProxy } from './bodies.ts'
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
// Without a header that says how long to wait, the SDK retries after seconds.
const noRetries = { maxRetries: 0 }

/** What some servers repeat where they don't take it: it must never be kept or shown. */
export const spokenKey = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4'

/** Refused with this status, for a reason that names the key. */
function refused(statusCode: number, why: string): Answering {
  return says({ error: { statusCode, message: `${why} (your key is ${spokenKey})` } })
}

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
  {
    name: 'a summary without tags and headings',
    summary: says({ text: `${partialWords}. `.repeat(40) }),
  },
  { name: 'the key is rejected for every summary', summary: refused(401, 'Invalid API key') },
  { name: '403 for every summary', summary: refused(403, 'Forbidden') },
  { name: 'no such model for any summary', summary: refused(404, 'model not found') },
  { name: '400 for every summary', summary: refused(400, 'max_tokens is not supported') },
  { name: '413 for every summary', summary: refused(413, 'Request exceeds the maximum size') },
  {
    name: '408 for every summary',
    summarizer: noRetries,
    summary: refused(408, 'Request timeout'),
  },
  { name: '425 for every summary', summary: refused(425, 'Too Early') },
  { name: '407 for every summary', summary: says({ sends: unnamedAtProxy }) },
  {
    name: '429 without retry-after for every summary',
    summarizer: noRetries,
    summary: says({ refuses: 'rate-limit' }),
  },
  { name: 'an HTML page for every summary', summarizer: noRetries, summary: says({ sends: page }) },
  {
    name: 'an empty body for every summary',
    summarizer: noRetries,
    summary: says({ sends: emptyBody }),
  },
  {
    name: 'a body that is no JSON for every summary',
    summarizer: noRetries,
    summary: says({ sends: noJson }),
  },
  { name: 'nobody listens where summaries are made', summarizer: noRetries, elsewhere: 'nobody' },
  {
    name: 'a certificate that nobody vouches for, where summaries are made',
    summarizer: noRetries,
    elsewhere: 'untrusted',
  },
  { name: 'overflow for every summary', summary: says({ refuses: 'overflow' }) },
  { name: '429 for every summary', summary: says({ refuses: 'rate-limit', ...soon }) },
  { name: '500 for every summary', summary: says({ refuses: 'failure', ...soon }) },
  { name: '529 or 503 for every summary', summary: says({ refuses: 'overloaded', ...soon }) },
  {
    name: 'the connection breaks during every summary',
    summarizer: noRetries,
    summary: says({ text: badWords, breaks: true }),
  },
  {
    name: 'no summary ever comes',
    summarizer: { timeout: 100 },
    summary: says({ hangs: 'before' }),
  },
  {
    name: 'every summary stops halfway',
    summarizer: { timeout: 100 },
    summary: says({ text: sections(partialWords), hangs: 'after-text' }),
  },
]
