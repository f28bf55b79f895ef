import { describe, expect, it } from 'vitest'
import { human, assistant, logFrom, step } from '../../testing/generate/build.ts'
import { compactLog } from '../../session/once/compact-log.ts'
import { pluginTemplate } from '../../session/plugins/with-plugins.ts'
import { messageText } from '../../log/message.ts'
import { presets } from '../presets.ts'
import { DEFAULT_COMPACTION_TEMPLATE, seedTemplate } from './seed.ts'
import {
  chooseTemplate,
  defaultTemplate,
  templateText,
  type Template,
} from '../summary/template.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { summaryProblems } from '../summary/check.ts'
import type { SummaryAnswer } from '../summary/with-model/summarizer.ts'

const complete = coreHeadings
  .map((heading) => `## ${heading}\n${'something that matters, '.repeat(12)}`)
  .join('\n\n')
const problems = (text: string, finish: SummaryAnswer['finish'] = 'stop'): string[] =>
  summaryProblems(
    { text, finish },
    { template: defaultTemplate, budget: 1_000, count: (words) => words.length / 4 },
  )

const gradle: Template = { sections: [{ heading: 'Gradle config', guide: 'The build.' }] }

describe('T12, five sections', () => {
  it('are these, in this order', () => {
    expect(coreHeadings).toEqual([
      'Goal',
      'Instructions',
      'Discoveries',
      'Accomplished',
      'Relevant files',
    ])
  })

  it('are asked for in the words of the seed', async () => {
    const asked: string[] = []
    const log = logFrom(
      Array.from({ length: 40 }, () => [human('more'), assistant('yes '.repeat(800))]),
    )
    await compactLog(log, {
      window: { context: 40_000 },
      policy: presets.seed,
      trigger: 'manual',
      summarizer: {
        name: 'listening',
        summarize: async ({ instruction }) => {
          asked.push(instruction)
          return { text: complete, finish: 'stop' }
        },
      },
    })
    expect(asked[0]).toContain(DEFAULT_COMPACTION_TEMPLATE)
    expect(seedTemplate.sections.map(({ heading }) => heading)).toEqual(coreHeadings)
    expect(DEFAULT_COMPACTION_TEMPLATE).toContain(
      '- `path/to/file.ts` — one-line description of relevance\n\nKeep each section focused',
    )
  })

  it('are what the summarizer is asked for', () => {
    expect(templateText(defaultTemplate).match(/^## .*/gm)).toEqual(
      coreHeadings.map((heading) => `## ${heading}`),
    )
  })
})

describe('T12, override', () => {
  it('comes from the first plugin that has one', () => {
    const plugins = [
      { name: 'a' },
      { name: 'b', template: () => gradle },
      { name: 'c', template: () => defaultTemplate },
    ]
    expect(pluginTemplate(plugins)).toBe(gradle)
  })

  it('of the call goes before that of the session and of a plugin', () => {
    const own: Template = { sections: [...defaultTemplate.sections, { heading: 'Own', guide: '' }] }
    expect(chooseTemplate([own, gradle])).toBe(own)
    expect(chooseTemplate([undefined, undefined])).toBe(defaultTemplate)
  })
})

describe('T12, validation', () => {
  it('accepts a summary with all sections', () => {
    expect(problems(complete)).toEqual([])
  })

  it('uses a partial summary: code writes the sections that the model left out', async () => {
    let asked = 0
    const log = logFrom([
      Array.from({ length: 40 }, () => [human('fix it'), assistant('yes '.repeat(800))]),
    ])
    const { context, report } = await compactLog(log, {
      window: { context: 40_000 },
      policy: presets.seed,
      trigger: 'manual',
      summarizer: {
        name: 'forgetful',
        summarize: async () => {
          asked += 1
          return { text: complete.replace(/## Goal\n.*\n/, ''), finish: 'stop' }
        },
      },
    })
    expect(asked).toBe(1)
    expect(report.rung).toBe('model')
    const summary = context.checkpoint?.summary ?? ''
    expect(summary.match(/^## .*/gm)).toEqual(coreHeadings.map((heading) => `## ${heading}`))
    expect(/## Goal\n([\s\S]*?)\n## /.exec(summary)?.[1]).toContain('fix it')
  })
})

describe('T12, failure modes', () => {
  it('FM-1: a free-form answer is rejected', () => {
    expect(problems('We discussed a coding task where the user wanted to fix a bug.')).not.toEqual(
      [],
    )
  })

  it('FM-2: files that the template or the model forgets are added from the record', async () => {
    const log = logFrom([
      human('fix it'),
      step(
        'a',
        'Edit',
        { file_path: 'src/parser.ts', old_string: 'a', new_string: 'b' },
        'The file src/parser.ts has been updated.',
      ),
      ...Array.from({ length: 30 }, (_, index) => [
        human(`more ${index}`),
        assistant('yes '.repeat(500)),
      ]).flat(),
    ])
    const { messages, report } = await compactLog(log, {
      window: { context: 40_000 },
      policy: presets.seed,
      trigger: 'manual',
      summarizer: {
        name: 'forgetful',
        summarize: async () => ({ text: complete, finish: 'stop' }),
      },
    })
    expect(report.rung).toBe('model')
    expect(messageText(messages[0] ?? { role: 'system', content: '' })).toMatch(
      /`src\/parser\.ts` edited/,
    )
  })

  it('FM-3: core sections that a plugin drops come back', () => {
    const headings = chooseTemplate([gradle]).sections.map(({ heading }) => heading)
    expect(headings).toEqual([...coreHeadings, 'Gradle config'])
  })
})
