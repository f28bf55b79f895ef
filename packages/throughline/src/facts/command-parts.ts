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

/**
 * Whether the success of one command shows that a failed core would now succeed: the core is its
 * last part, or asks for the same with fewer restrictions, or the command runs all tests where the
 * core ran some. For git, the subcommand decides.
 */
export function covers(success: string, core: string): boolean {
  if (isWholeSuite(success) && isSomeTest(core)) return true
  const program = success.slice(0, Math.max(success.indexOf(' '), 0))
  if (!core.includes(program === '' ? success : program)) return false
  const failed = lastPart(core)
  if (success === failed) return true
  const done = wordsOf(success)
  const wanted = wordsOf(failed)
  if (done[0] !== wanted[0] || done[1] !== wanted[1]) return false
  if (done[0] === 'git') return true
  return done.length > 1 && done.every((word) => word.startsWith('-') || wanted.includes(word))
}

/** `npm test`, `go test ./...`, `mise run test`, `pytest`: no filter, no file, no other suite. */
function isWholeSuite(part: string): boolean {
  return /^(?:(?:npm|pnpm|yarn|bun|cargo|make|just|mise|task|deno|gradle|mvn)(?: run)? test(?::(?:ci|all|unit))?|go test \.\/\.\.\.|pytest|vitest run|npx vitest run)$/.test(
    wordsOf(part)
      .filter((word) => !/^(?:-v|-q|-count=1|--silent|-race)$/.test(word))
      .join(' '),
  )
}

/** A run of tests, but not of a suite that is usually run separately. */
function isSomeTest(core: string): boolean {
  const part = lastPart(core)
  return (
    /(?:^|[\s/:])(?:tests?|pytest|vitest|jest)\b/.test(part) && !/integration|e2e|bench/.test(part)
  )
}

/** The part whose status a core returned, in most cases. */
function lastPart(core: string): string {
  const at = core.lastIndexOf(' && ')
  return at < 0 ? core : core.slice(at + 4)
}

/** The words without leading variable assignments. */
function wordsOf(part: string): string[] {
  return part.split(' ').filter((word) => !/^(?:env$|[A-Za-z_]\w*=)/.test(word))
}
