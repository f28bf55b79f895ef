/** Whose words stand in a `#### ` line, and what becomes of them. */
export type Typed =
  | { who: 'human'; text: string }
  /** What aider itself filed among the human's words. */
  | { who: 'harness'; text: string }
  /** An order to aider that no model sees. */
  | { who: 'command'; text: string }
  /** An answer to a question of aider. */
  | { who: 'answer'; text: string }
  /** From here on the model knows nothing of what was said before. */
  | { who: 'clear' }
  | { who: 'nobody' }

/** Tells a request from an order to aider, and both from what aider files as the human's. */
export function readTyped(text: string): Typed {
  if (text.trim() === '' || text === '<blank>') return { who: 'nobody' }
  if (isAnswer(text)) return { who: 'answer', text }
  if (ownWords.some((words) => text.startsWith(words))) return { who: 'harness', text }
  if (!/^[/!]/.test(text)) return { who: 'human', text }
  const [, name = '', words = ''] = /^\/([\w-]*)\s*([^]*)$/.exec(text) ?? []
  if (asking.has(name) && words !== '') return { who: 'human', text: words }
  if (isShort(name, 'clear') || isShort(name, 'reset')) return { who: 'clear' }
  return { who: 'command', text }
}

/** Commands that pass their words on to the model. */
const asking: ReadonlySet<string> = new Set(['ask', 'code', 'architect', 'context', 'help'])

/** Aider takes the first letters of a command for it. */
function isShort(name: string, command: string): boolean {
  return name.length > 2 && command.startsWith(name)
}

/** Where one answer stands for a group of questions, it is filed with its question. */
function isAnswer(text: string): boolean {
  return (
    text.length < 500 && !text.includes('\n') && /\(Y\)es\/\(N\)o.{0,80}\[\w+\]: \w+$/.test(text)
  )
}

/** How prompts of aider begin that it files as if they had been typed. */
const ownWords = [
  '# Fix any errors below, if possible.',
  '## Running: ',
  '# Question: ',
  "I've written your instructions in comments in the code",
]
