/** What a shell script says, without running it: its simple commands in order. */
export type ScriptEvent = ShellCommand | SubshellStart | SubshellEnd

export interface ShellCommand {
  type: 'command'
  words: Word[]
  /** Files that its output is sent to. */
  writes: { target: Word; append: boolean }[]
  /** The text of its here-document or here-string, if it has one with nothing to expand. */
  document?: string
  /** It stands behind a pipe, or before one. */
  pipedIn: boolean
  pipedOut: boolean
  /** Number of the and-or list that it belongs to: the exit status is that of the last list. */
  list: number
  /** It may not have run: behind `||`, in a branch, a loop or a function. */
  guarded: boolean
}

interface SubshellStart {
  type: 'enter'
}

interface SubshellEnd {
  type: 'leave'
}

export interface Word {
  text: string
  /** Nothing in it is expanded by the shell: it is what it says. */
  plain: boolean
}
