import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { factsOf } from '../../facts/facts-of.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { parseSections, sectionBody } from '../../facts/sections.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { summaryProblems } from './check.ts'
import { repairSummary } from './repair.ts'
import { defaultTemplate, templateText } from './template.ts'

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

const tagOf = (heading: string): string => heading.toLowerCase().replace(' ', '_')
const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by)

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
  'in elements': headed((heading) => `<${tagOf(heading)}>`).replace(
    /<(\w+)>\n([^]*?)(?=\n\n<|$)/g,
    '<$1>\n$2\n</$1>',
  ),
  'in elements that are indented, in one of another name': `<state_snapshot>\n${coreHeadings
    .map(
      (heading, at) =>
        `  <${tagOf(heading)}>\n${indented(bodies[at] ?? '', '    ')}\n  </${tagOf(heading)}>`,
    )
    .join('\n')}\n</state_snapshot>`,
  'in elements on one line': coreHeadings
    .map(
      (heading, at) =>
        `<${heading.replace(' f', 'F')}>${bodies[at]}</${heading.replace(' f', 'F')}>`,
    )
    .join('\n'),
  'in elements that bear the name': coreHeadings
    .map((heading, at) => `<section name="${heading}">\n${bodies[at]}\n</section>`)
    .join('\n'),
  'in elements around headings': coreHeadings
    .map((heading, at) => `<${tagOf(heading)}>\n## ${heading}\n${bodies[at]}\n</${tagOf(heading)}>`)
    .join('\n'),
  'in folded details': coreHeadings
    .map((heading, at) => `<details>\n<summary>${heading}</summary>\n\n${bodies[at]}\n</details>`)
    .join('\n'),
  'under headings of HTML': headed((heading) => `<h2>${heading}</h2>`),
  'as an object': `Here it is:\n\n\`\`\`json\n${JSON.stringify({ summary: Object.fromEntries(coreHeadings.map((heading, at) => [tagOf(heading), bodies[at]])) })}\n\`\`\``,
  'as a table': `| Section | Content |\n| --- | --- |\n${coreHeadings
    .map((heading, at) => `| ${heading} | ${(bodies[at] ?? '').replaceAll('\n', '<br>')} |`)
    .join('\n')}`,
  'quoted as a whole': indented(plain, '> '),
  'indented as a whole': indented(plain, '    '),
  'between brackets': headed((heading) => `[${heading}]`),
  'between lines': headed((heading) => `=== ${heading} ===`),
  'as bare names in capitals': headed((heading) => heading.toUpperCase()),
  'with a question at the end': `Here’s a summary:\n\n${plain}\n\nWould you like me to go on with the lexer?`,
  'with a call behind it': `${plain}\n\n<function_calls>\n<invoke name="read">\n<parameter name="path">a.ts</parameter>\n</invoke>\n</function_calls>`,
  'with a call before it': `<tool_call>\n{"name": "read"}\n</tool_call>\n\n${plain}`,
  'caught in a loop': plain.replace('- Never push to main.', '- Never push to main.\n'.repeat(300)),
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
  Portuguese: named(['Objetivo', 'Instruções', 'Descobertas', 'Realizado', 'Arquivos relevantes']),
  Italian: named(['Obiettivo', 'Istruzioni', 'Scoperte', 'Completato', 'File rilevanti']),
  Polish: named(['Cel', 'Instrukcje', 'Odkrycia', 'Wykonano', 'Istotne pliki']),
  Dutch: named(['Doel', 'Instructies', 'Bevindingen', 'Voltooid', 'Relevante bestanden']),
  Turkish: named(['Amaç', 'Talimatlar', 'Bulgular', 'Tamamlananlar', 'İlgili dosyalar']),
  Arabic: named(['الهدف', 'التعليمات', 'الاكتشافات', 'ما تم إنجازه', 'الملفات ذات الصلة']),
  Hindi: named(['लक्ष्य', 'निर्देश', 'खोजें', 'पूरा किया गया', 'संबंधित फ़ाइलें']),
  Ukrainian: named(['Мета', 'Інструкції', 'Знахідки', 'Виконано', 'Відповідні файли']),
  Indonesian: named(['Tujuan', 'Instruksi', 'Temuan', 'Yang telah diselesaikan', 'Berkas terkait']),
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
      /```|<\/?(?:\w|summary)|hm|Hm|Sure|Here|Let me know|hope|asked first|Conversation summary|Would you/
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

const call = '{"name": "read", "arguments": {"path": "a.ts"}}'
const ask = 'Please provide the conversation that you would like me to summarize. '

test.each([
  '',
  '<think>All of it was thought.</think>',
  'Understood, I will go on.',
  '```\n```',
  // A call in the form of text, however long.
  `<tool_call>\n${call.replace('a.ts', 'a.ts '.repeat(200))}\n</tool_call>`,
  `\`\`\`json\n${call.replace('a.ts', 'a.ts '.repeat(200))}\n\`\`\``,
  `I will read it.\n\n<function_calls>\n<invoke name="read">${'x'.repeat(900)}</invoke>\n</function_calls>`,
  // What was asked for, as it was asked for.
  templateText(defaultTemplate),
  `Use these headings, exactly and in this order:\n\n${templateText(defaultTemplate)}`,
  headed((heading) => `## ${heading}\n[Describe the ${heading} here]`).replace(
    /\n(?!## |\[).+/g,
    '',
  ),
  coreHeadings.map((heading) => `## ${heading}\n- ...`).join('\n\n'),
  coreHeadings.map((heading) => `## ${heading}\nNo information available.`).join('\n\n'),
  // Excuses.
  `I don't see any conversation to summarize. ${ask.repeat(8)}`,
  coreHeadings
    .map(
      (heading, at) =>
        `## ${heading}\n${at === 0 ? `No conversation was provided. ${ask.repeat(6)}` : '(none)'}`,
    )
    .join('\n\n'),
  `I understand, but I'm not comfortable with it and I won't be able to write one. ${ask.repeat(8)}`,
  `Es tut mir leid, aber dabei kann ich nicht helfen. ${ask.repeat(8)}`,
  `抱歉，我无法协助完成这个请求。${ask.repeat(8)}`,
  `Lo siento, pero no puedo ayudar con eso. ${ask.repeat(8)}`,
])('%j is no summary', (text) => {
  expect(taken(text)).toBeUndefined()
})

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
