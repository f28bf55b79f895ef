/** Elements that harnesses put into messages recorded as the human's. */
const ELEMENTS = [
  'system-reminder',
  'system_reminder',
  'environment_context',
  'command-message',
  'command-name',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'bash-stdout',
  'bash-stderr',
  'ide_selection',
  'ide_opened_file',
  'ide_diagnostics',
  'skill-context',
  'current_datetime',
  'user_instructions',
  'INSTRUCTIONS',
  'attached_files',
  'attachments',
  'task-notification',
] as const

/** The beginning and end of an attachment that a harness adds after the human's words. */
const ATTACHMENTS: readonly { from: string; to: string }[] = [
  { from: 'Called the Read tool with the following input:', to: '</content>' },
  { from: 'Called the list tool with the following input:', to: '</entries>' },
  { from: '--- Content from referenced files ---', to: '--- End of content ---' },
  { from: '<file name="', to: '</file>' },
  { from: '<file path="', to: '</file>' },
]

/** What the human said: the text without attachments and a harness's additions. */
export function ownWords(text: string): string {
  let words = text
  for (const name of ELEMENTS) {
    if (words.includes(`<${name}`)) words = without(words, `<${name}`, `</${name}>`, false)
  }
  for (const { from, to } of ATTACHMENTS) {
    if (words.includes(from)) words = without(words, from, to, true)
  }
  return commandArguments(words.trim())
}

const ARGUMENTS = { from: '<command-args>', to: '</command-args>' }

/** What a human types after a slash command is theirs; Claude Code wraps the whole line. */
function commandArguments(words: string): string {
  const { from, to } = ARGUMENTS
  const start = words.indexOf(from)
  const end = words.lastIndexOf(to)
  if (start < 0 || end < start) return words
  const before = words.slice(0, start)
  return `${before}${words.slice(start + from.length, end)}${words.slice(end + to.length)}`.trim()
}

/**
 * Removes every stretch from one mark to the other; a stretch without an end extends to the end of
 * the text, or stays.
 */
function without(text: string, from: string, to: string, toTheEnd: boolean): string {
  let kept = ''
  let at = 0
  while (at < text.length) {
    const start = text.indexOf(from, at)
    if (start < 0) break
    const end = text.indexOf(to, start + from.length)
    if (end < 0 && !toTheEnd) break
    kept += text.slice(at, start)
    at = end < 0 ? text.length : end + to.length
  }
  return kept + text.slice(at)
}
