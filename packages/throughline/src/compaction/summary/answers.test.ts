import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { factsOf } from '../../facts/facts-of.ts'
import { coreHeadings, parseSections, sectionBody } from '../../facts/sections.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { summaryProblems } from './check.ts'
import { repairSummary } from './repair.ts'
import { defaultTemplate } from './template.ts'

/*
 * What models deliver their summaries in, and as. Each answer is taken, each of its bodies stands
 * under the heading of the template, and nothing of the wrapper stands anywhere.
 */
const log = logFrom([human('Fix the parser.'), step('a', 'read', { path: 'a.ts' }, 'text')])
const facts = factsOf(log, {})

/** What stands in the context instead of an answer; `undefined` where it is rejected. */
function taken(text: string, budget = 20_000): string | undefined {
  const record = { facts, template: defaultTemplate, budget, count: estimateTokens, log }
  if (summaryProblems({ text, finish: 'stop' }, { ...record, replaced: 5_000 }).length > 0) return
  return repairSummary(text, record)
}

const bodies = [
  'Make the parser accept empty input.',
  '- Never push to main.',
  '- The lexer yields nothing for empty input.\n\n#### Details\n- It is a generator.',
  '- The test for empty input was written.\n\n**Still open**\n- The build fails.',
  '- the parser’s own file',
]
const plain = coreHeadings.map((heading, at) => `## ${heading}\n${bodies[at]}`).join('\n\n')
const headed = (line: (heading: string, at: number) => string): string =>
  coreHeadings.map((heading, at) => `${line(heading, at)}\n${bodies[at]}`).join('\n\n')
const named = (names: readonly string[]): string =>
  names.map((heading, at) => `## ${heading}\n${bodies[at]}`).join('\n\n')

const forms: Record<string, string> = {
  plain,
  'in a fence': `\`\`\`\n${plain}\n\`\`\``,
  'in a fence with a language and words around it': `Here is the summary:\n\n\`\`\`markdown\n${plain}\n\`\`\`\n\nLet me know if you need more.`,
  'in a fence that does not end': `\`\`\`md\n${plain}`,
  'with numbers': headed((heading, at) => `## ${at + 1}. ${heading}`),
  'with numbers in brackets': headed((heading, at) => `### ${at + 1}) ${heading}:`),
  'in bold': headed((heading) => `**${heading}:**`),
  'in bold, numbered': headed((heading, at) => `${at + 1}. **${heading}**:`),
  'in bold on the same line': coreHeadings
    .map((heading, at) => `**${heading}:** ${bodies[at]}`)
    .join('\n\n'),
  underlined: headed((heading) => `${heading}\n${'-'.repeat(heading.length)}`),
  'underlined twice': headed((heading) => `${heading}\n${'='.repeat(heading.length)}`),
  'in capitals': headed((heading) => `# ${heading.toUpperCase()}`),
  'bare with a colon': headed((heading) => `${heading}:`),
  'with emoji': headed((heading) => `## 🎯 ${heading}`),
  'with a title': `# Conversation summary\n\n${plain}`,
  'behind a thought': `<think>\n## Goal\nHm, what was the goal?\n</think>\n\n${plain}`,
  'behind a thought without its beginning': `Hm, what was the goal?\n</think>\n\n${plain}`,
  'behind an analysis, in a summary': `<analysis>\nThe user asked first…\n</analysis>\n\n<summary>\n${plain}\n</summary>`,
  'in a summary that does not end': `<summary>\n${plain}`,
  'in our own block': `<prior-conversation-summary>\n${plain}\n</prior-conversation-summary>`,
  'in all of them': `<think>hm</think>\nSure!\n\`\`\`markdown\n<summary>\n${plain}\n</summary>\n\`\`\`\nI hope this helps!`,
  'in another order': plain
    .split('\n\n## ')
    .toReversed()
    .join('\n\n## ')
    .replace(/## ## /g, '## ')
    .replace(/^(?!##)/, '## '),
  Vietnamese: named(['Mục tiêu', 'Hướng dẫn', 'Phát hiện', 'Đã hoàn thành', 'Các tệp liên quan']),
  Chinese: named(['目标', '指令', '发现', '已完成', '相关文件']),
  Japanese: named(['目標', '指示', '発見', '完了', '関連ファイル']),
  Korean: named(['목표', '지침', '발견 사항', '완료된 작업', '관련 파일']),
  Russian: named(['Цель', 'Инструкции', 'Открытия', 'Выполнено', 'Релевантные файлы']),
  Spanish: named(['Objetivo', 'Instrucciones', 'Descubrimientos', 'Logros', 'Archivos relevantes']),
  German: named(['Ziel', 'Anweisungen', 'Erkenntnisse', 'Erreicht', 'Relevante Dateien']),
  French: named(['Objectif', 'Consignes', 'Découvertes', 'Réalisé', 'Fichiers pertinents']),
  'both languages': named([
    'Goal (Mục tiêu)',
    'Instructions / Chỉ dẫn',
    'Discoveries',
    'Accomplished',
    'Relevant files',
  ]),
}

describe('an answer is taken whatever it is delivered in', () => {
  test.each(Object.keys(forms))('%s', (name) => {
    const summary = taken(forms[name] ?? '') ?? ''
    expect(summary.match(/^## .*/gm)).toEqual(coreHeadings.map((heading) => `## ${heading}`))
    const parsed = parseSections(summary)
    for (const [at, heading] of coreHeadings.entries()) {
      expect(sectionBody(parsed, heading)).toContain(bodies[at])
    }
    const wrapper =
      /```|<\/?(?:think|analysis|summary|prior)|hm|Hm|Sure|Here is|Let me know|hope|asked first|Conversation summary/
    expect(summary).not.toMatch(wrapper)
  })

  test.each(coreHeadings.map((heading, at) => [heading, at] as const))(
    'without %s, which the record then tells',
    (heading, at) => {
      const summary = taken(plain.replace(`## ${heading}\n${bodies[at]}`, '')) ?? ''
      expect(summary.match(/^## .*/gm)).toEqual(coreHeadings.map((each) => `## ${each}`))
      const others = bodies.filter((_, index) => index !== at)
      for (const body of others) expect(summary).toContain(body)
    },
  )

  it('too long, it loses its least important parts', () => {
    const long = plain.replace(bodies[2] ?? '', '- found something out\n'.repeat(2_000))
    const summary = taken(long, 600) ?? ''
    expect(estimateTokens(summary)).toBeLessThanOrEqual(600)
    for (const at of [0, 1, 3]) expect(summary).toContain(bodies[at])
    const endless = plain.replace(bodies[3] ?? '', `${'- did something\n'.repeat(9_000)}- the end`)
    expect(taken(endless, 600)).toContain('- the end')
  })

  it('keeps code in fences, and what only speaks of thinking', () => {
    const said = `${plain}\n\n\`\`\`ts\n// ## Goal\nconst a = 1\n\`\`\`\n- \`</think>\` ends a thought`
    const summary = taken(said) ?? ''
    expect(summary).toContain('const a = 1')
    expect(summary).toContain('ends a thought')
    expect(summary).toContain(bodies[0])
  })
})

test.each(['', '<think>All of it was thought.</think>', 'Understood, I will go on.', '```\n```'])(
  '%j is no summary',
  (text) => {
    expect(taken(text)).toBeUndefined()
  },
)

const folder = join(import.meta.dirname, '../../../../../../shared/exams/answers')
const answers = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : []

describe.skipIf(answers.length === 0)(
  `recorded answers of strong models, in ../shared/exams/answers (${answers.length} found)`,
  () => {
    test.each(answers)('%s', (name) => {
      const text = readFileSync(join(folder, name), 'utf8').trim()
      const parts = text.split(/\n(?=## )/)
      const turned = parts.toReversed().join('\n\n')
      const delivered = [
        text,
        `\`\`\`markdown\n${text}\n\`\`\``,
        `<think>\n## Goal\nLet me think.\n</think>\n${text}`,
        turned,
      ]
      const whole = taken(text) ?? ''
      for (const form of delivered) {
        const summary = taken(form) ?? ''
        expect(summary.match(/^## .*/gm)).toEqual(coreHeadings.map((heading) => `## ${heading}`))
        expect(summary.replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''))
      }
      // Whatever a strong model wrote under a heading still stands under it.
      const parsed = parseSections(whole)
      for (const [at, heading] of coreHeadings.entries()) {
        const last = (parts[at] ?? '').trim().split('\n').at(-1) ?? ''
        const words = last.split(/[`\s]+/).filter((word) => /^[a-z]{6,}$/.test(word))
        for (const word of words) expect(sectionBody(parsed, heading)).toContain(word)
      }
      for (let left = 0; left < parts.length; left++) {
        const summary = taken(parts.filter((_, at) => at !== left).join('\n')) ?? ''
        expect(summary.match(/^## .*/gm)).toEqual(coreHeadings.map((heading) => `## ${heading}`))
      }
    })
  },
)
