/** Commands whose conflicts a commit resolves. */
const SETTLED_BY_COMMIT = ['git merge', 'git pull', 'git rebase', 'git cherry-pick', 'git revert']
/** Parts of a command line that prepare or print something and don't fail. */
const TRIVIAL = /^(?:cd|echo|export|set|sleep|printf|true|pwd|source|mkdir)\b/

/** The command without parts that only trim its output: `npm test 2>&1 | tail -5` is `npm test`. */
export function coreOf(command: string): string {
  return command
    .split(/ (?:&&|;) |; /)
    .map(trimmed)
    .filter((part) => part !== '' && !TRIVIAL.test(part))
    .join(' && ')
}

function trimmed(part: string): string {
  const pipe = part.indexOf(' | ')
  const head = pipe < 0 ? part : part.slice(0, pipe)
  return head.replace(/ ?(?:\d?>&\d|\d?>{1,2} ?\/dev\/null|\|\| true)/g, '').trim()
}

/** What ran successfully if this core did, part by part. */
export function successesOf(core: string): string[] {
  const parts = core.split(' && ')
  return parts.some((part) => part.startsWith('git commit'))
    ? [...parts, ...SETTLED_BY_COMMIT]
    : parts
}

/** A part of a command line, read once for all the comparisons that it takes part in. */
export interface ReadPart {
  text: string
  /** The words without leading variable assignments. */
  words: readonly string[]
  /** What a core must contain to be covered by this part at all. */
  program: string
  /** All tests: no filter, no file, no other suite. */
  wholeSuite: boolean
}

/** A core that failed, as far as a later success is compared with it. */
export interface ReadCore {
  text: string
  /** The part whose status the core returned, in most cases. */
  last: ReadPart
  /** A run of tests, but not of a suite that is usually run separately. */
  someTest: boolean
}

export function readPart(text: string): ReadPart {
  const words = wordsOf(text)
  const program = text.slice(0, Math.max(text.indexOf(' '), 0)) || text
  return { text, words, program, wholeSuite: isWholeSuite(words) }
}

export function readCore(text: string): ReadCore {
  const at = text.lastIndexOf(' && ')
  const last = readPart(at < 0 ? text : text.slice(at + 4))
  return { text, last, someTest: isSomeTest(last.text) }
}

/**
 * Whether the success of one command shows that a failed core would now succeed: the core is its
 * last part, or asks for the same with fewer restrictions, or the command runs all tests where the
 * core ran some. For git, the subcommand decides.
 */
export function covers(success: ReadPart, { text, last, someTest }: ReadCore): boolean {
  if (success.wholeSuite && someTest) return true
  const { words: done } = success
  const { words: wanted } = last
  if (success.text === last.text) return true
  if (done[0] !== wanted[0] || done[1] !== wanted[1] || !text.includes(success.program))
    return false
  if (done[0] === 'git') return true
  return (
    done.length > 1 &&
    done.every(
      (word) => word.startsWith('-') || wanted.some((other) => narrows(word, other, someTest)),
    )
  )
}

/** So much of a line that was cut tells it from others. */
const TELLING = 60

/** Whether two lines whose ends were cut off, each at its place, say the same as far as they go. */
export function beginsAlike(a: string, b: string): boolean {
  if (!a.endsWith('…') || !b.endsWith('…')) return false
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length > TELLING && long.startsWith(short.slice(0, -1))
}

/**
 * Whether one word of a command asks for no more than another: a file below a directory, or for
 * runners of tests all that begins like it.
 */
function narrows(broad: string, narrow: string, isTest: boolean): boolean {
  if (broad === narrow) return true
  const start = broad.endsWith('/...') ? broad.slice(0, -3) : broad
  if (!narrow.startsWith(start)) return false
  return narrow[start.length] === '/' || start.endsWith('/') || (isTest && start.includes('/'))
}

/** Checks of the code itself rather than of what it does: of all of it, if they name no path. */
export function checksAllCode({ text, words }: ReadPart): boolean {
  const rest = words.slice(1).filter((word) => !word.startsWith('-'))
  return STATIC.test(text) && !rest.some((word) => /\/[^@]/.test(word) && !word.endsWith('...'))
}

const STATIC =
  /(?:^|[\s:/])(?:check|check-types|type-?check|lint|tsc|tsgo|build|compile|vet|clippy|mypy|pyright)\b/

/** `npm test`, `go test ./...`, `mise run test`, `pytest`. */
function isWholeSuite(words: readonly string[]): boolean {
  return /^(?:(?:npm|pnpm|yarn|bun|cargo|make|just|mise|task|deno|gradle|mvn)(?: run)? test(?::(?:ci|all|unit))?|go test \.\/\.\.\.|pytest|vitest run|npx vitest run)$/.test(
    words.filter((word) => !/^(?:-v|-q|-count=1|--silent|-race)$/.test(word)).join(' '),
  )
}

function isSomeTest(part: string): boolean {
  return (
    /(?:^|[\s/:])(?:tests?|pytest|vitest|jest)\b/.test(part) && !/integration|e2e|bench/.test(part)
  )
}

function wordsOf(part: string): string[] {
  return part.split(' ').filter((word) => !/^(?:env$|[A-Za-z_]\w*=)/.test(word))
}
