const mark = '[The call failed.]'

/** An output that says that its call failed, where a format has no other place for that. */
export function markedFailure(text: string): string {
  return text === '' ? mark : `${mark}\n${text}`
}

/** What a mark stands before; `undefined` where there is none. */
export function withoutFailureMark(text: string): string | undefined {
  if (!text.startsWith(mark)) return undefined
  const rest = text.slice(mark.length)
  return rest === '' ? '' : rest.startsWith('\n') ? rest.slice(1) : undefined
}
