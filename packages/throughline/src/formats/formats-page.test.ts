import { describe, expect, it } from 'vitest'
import { readFileSync, writeFileSync } from 'node:fs'
import { corpusIsHere } from '../testing/generate/corpus.ts'
import { formatsPage, type Recorded } from './testing/formats-page.ts'
import { full } from '../testing/generate/runs.ts'
import { harnesses } from './harnesses.ts'
import { readCorpus } from './testing/corpus-reading.ts'

const docs = (name: string): URL => new URL(`../../../../docs/${name}`, import.meta.url)
const updates = process.env['UPDATE_DOCS'] === '1'

function json(name: string): unknown {
  return JSON.parse(readFileSync(docs(name), 'utf8'))
}

function recorded(): Recorded {
  return {
    clients: json('clients.json'),
    corpus: json('corpus.json'),
    figures: json('figures.json'),
  } as Recorded
}

describe('docs/formats.md', () => {
  it.skipIf(!corpusIsHere || !(full || updates))(
    'counts the real files as they are read now',
    async () => {
      const reading = await readCorpus()
      if (updates) writeFileSync(docs('corpus.json'), `${JSON.stringify(reading, null, 2)}\n`)
      expect(json('corpus.json')).toEqual(reading)
    },
  )

  it('is what the formats and the recorded results say (UPDATE_DOCS=1 writes it anew)', () => {
    const page = formatsPage(recorded())
    if (updates) writeFileSync(docs('formats.md'), page)
    expect(readFileSync(docs('formats.md'), 'utf8')).toBe(page)
  })

  it('tells of every harness that its real client goes on, and since when', () => {
    const page = formatsPage(recorded())
    for (const { name } of harnesses) {
      expect(page).toMatch(
        new RegExp(
          `^\\| ${name} +\\|.*\\| (?:\\d+\\.\\d+\\.\\d+ \\(\\d{4}-\\d\\d-\\d\\d\\)|not run: .*) +\\|`,
          'm',
        ),
      )
    }
  })

  it('says nothing of a client that did not go on every time', () => {
    const { clients, ...others } = recorded()
    const failed = clients.map((client) => ({
      ...client,
      sessions: [...client.sessions, { session: 'x', problems: ['the summary is there 0 times'] }],
    }))
    expect(formatsPage({ clients: failed, ...others, figures: [] })).not.toMatch(
      /\(\d{4}-\d\d-\d\d\)/,
    )
  })
})
