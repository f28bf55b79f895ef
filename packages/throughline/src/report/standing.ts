import { stringLeaves } from '../json/fields.ts'
import { partsOf, type Message, partText } from '../log/message.ts'
import type { Facts } from '../facts/facts.ts'
import type { Standing } from './model.ts'

/** All that a model reads in these messages: texts, outputs, and the texts of inputs unescaped. */
export function visibleText(messages: readonly Message[]): string {
  return messages
    .flatMap((message) =>
      partsOf(message).map((part) =>
        part.type === 'tool-call' ? stringLeaves(part.input).join('\n') : partText(part),
      ),
    )
    .join('\n')
}

type Names = (text: string, path: string) => boolean

/** Which rules, requests and changed files are in a text. */
export function standingIn(
  text: string,
  { rules, requests, files }: Pick<Facts, 'rules' | 'requests' | 'files'>,
  names: Names = namesPath,
): Standing {
  return {
    rules: rules.map(({ text: rule, seq, retractedBy }) => ({
      text: rule,
      seq,
      ...(retractedBy !== undefined && { retractedBy }),
      in: text.includes(rule.trim()),
    })),
    requests: requests.map(({ text: request, seq }) => ({
      text: request.slice(0, longest).toWellFormed(),
      seq,
      in: requestIn(text, request.trim()),
    })),
    files: [...files.values()]
      .filter(({ state }) => state !== 'read')
      .map(({ path, state, seqs }) => ({
        path,
        state,
        seq: seqs.at(-1) ?? 0,
        in: names(text, path),
      })),
  }
}

const longest = 600
// A shorter text may be a turn of phrase.
export const ownWords = 48

function requestIn(text: string, request: string): 'whole' | 'in part' | 'no' {
  if (text.includes(request)) return 'whole'
  return request.length > ownWords && text.includes(request.slice(0, ownWords)) ? 'in part' : 'no'
}

/** Whether the path occurs as a whole, not as part of another name. */
function namesPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1] ?? ''
    const after = text[at + path.length] ?? ''
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true
  }
  return false
}

/** Like {@link namesPath}; a name without its folder is enough where only one file has it. */
export function namesInWords({ files }: Pick<Facts, 'files'>): Names {
  const counts = new Map<string, number>()
  for (const path of files.keys()) {
    const name = baseName(path)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return (text, path) => {
    if (namesPath(text, path)) return true
    const name = baseName(path)
    return name !== path && /\w\.\w/.test(name) && counts.get(name) === 1 && namesPath(text, name)
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
