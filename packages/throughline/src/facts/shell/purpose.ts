import { gitCommandOf } from './git-changes.ts'
import { hasOption, operandsOf, type Invocation } from './invocation.ts'
import { editsInPlace } from './reads.ts'
import type { CommandPurpose } from '../facts.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Programs that only show something. */
const LOOKERS = words(`
  ls cat tac head tail less more nl bat batcat grep egrep fgrep rg ag ack find fd tree wc pwd cd
  pushd popd echo printf which whereis type file stat du df env printenv date whoami id uname sort
  uniq cut tr diff cmp comm column jq yq awk xxd od hexdump basename dirname realpath readlink
  sleep true false test [ export set unset source . alias ps top lsof history man seq wait jobs
  md5 md5sum shasum sha256sum strings paste fold exit return shopt trap read local declare ulimit
  Get-Content Get-ChildItem Get-Item Get-Location Get-Date Get-Command Get-Process Select-String
  Select-Object Where-Object ForEach-Object Sort-Object Format-Table Format-List Measure-Object
  Out-String Out-Null Test-Path Resolve-Path Write-Output Write-Host Set-Location Push-Location
  Pop-Location ConvertFrom-Json ConvertTo-Json Start-Sleep Group-Object gci gc sls dir`)

/** Programs that test, build, lint or check types. */
const CHECKERS = words(`
  pytest vitest jest mocha ava tap tsc tsgo eslint oxlint biome ruff mypy pyright flake8 pylint
  golangci-lint staticcheck clippy-driver ctest phpunit rspec tox nox gotestsum rubocop ktlint
  detekt stylelint prettier oxfmt shellcheck hadolint markdownlint cypress playwright karma
  Invoke-Pester Invoke-ScriptAnalyzer esbuild webpack rollup vite next msbuild xcodebuild javac`)

/** Programs whose first operand decides what they do, and the operands that only look. */
const LOOKING: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words(`
    status diff log show blame ls-files ls-tree ls-remote rev-parse rev-list grep describe cat-file
    reflog shortlog merge-base show-ref for-each-ref name-rev var count-objects check-ignore help`),
  gh: words('search status browse auth'),
  go: words('env list doc version help'),
  npm: words('ls list view outdated config root bin help explain why'),
  pnpm: words('ls list view outdated config root bin help why'),
  yarn: words('list info outdated config why'),
  cargo: words('tree metadata search version'),
  pip: words('list show freeze'),
  docker: words('ps images logs inspect version info stats'),
  kubectl: words('get describe logs version top'),
  brew: words('list info search'),
  mise: words('ls tasks env which doctor'),
}
/** The same for operands that check. */
const CHECKING: Readonly<Record<string, ReadonlySet<string>>> = {
  go: words('test build vet'),
  cargo: words('test build check clippy nextest'),
  dotnet: words('test build'),
  swift: words('test build'),
  deno: words('test check lint'),
  bun: words('test'),
  mvn: words('test verify package compile'),
  gradle: words('test build check'),
  gradlew: words('test build check'),
  zig: words('test build'),
  mix: words('test'),
  rails: words('test'),
  bazel: words('test build'),
}
/** Runners of named scripts and tasks: the name says what they do. */
const RUNNERS = words(
  'npm pnpm yarn bun npx pnpx bunx make gmake just task mise turbo nx rake uv poetry',
)
const CHECK_NAME =
  /^(t|test|tests|lint|check|build|compile|verify|ci|typecheck|types|tsc|vet|fmt|format|all)$|^(test|lint|check|build|type)[-:_.]|[-:_.](test|lint|check|build|types?)$/

export function purposeOf(invocation: Invocation): CommandPurpose {
  const { program, args, command } = invocation
  if (program === '') return 'look'
  if (CHECKERS.has(program)) return 'check'
  if (program === 'sed') return editsInPlace(args) ? 'act' : 'look'
  const writes = command.writes.some(({ target }) => !target.text.startsWith('/dev/'))
  if (LOOKERS.has(program)) return writes ? 'act' : 'look'
  return purposeOfSubcommand(program, invocation)
}

function purposeOfSubcommand(program: string, { args }: Invocation): CommandPurpose {
  const operands = program === 'git' ? gitOperands(args) : operandsOf(args).map(({ text }) => text)
  const first = operands[0] ?? ''
  if (own(LOOKING, program)?.has(first) === true) return 'look'
  if (program === 'gh' && /^(view|list|checks|diff|status)$/.test(operands[1] ?? '')) return 'look'
  if (program === 'gh' && first === 'api') return hasOption(args, '-X', '-f', '-F') ? 'act' : 'look'
  if (program === 'git' && first === 'branch' && operands.length === 1) return 'look'
  if (own(CHECKING, program)?.has(first) === true) return 'check'
  if (RUNNERS.has(program)) {
    const named = /^(?:run|exec|run-script)$/.test(first) ? (operands[1] ?? '') : first
    const checks =
      named === '' ? /^g?make$/.test(program) : CHECKERS.has(named) || CHECK_NAME.test(named)
    return checks ? 'check' : 'act'
  }
  if (/^python[\d.]*$/.test(program)) {
    const module = args.findIndex(({ text }) => text === '-m')
    const name = module < 0 ? '' : (args[module + 1]?.text ?? '')
    return CHECKERS.has(name) || name === 'unittest' || name === 'compileall' ? 'check' : 'act'
  }
  return 'act'
}

function gitOperands(args: Invocation['args']): string[] {
  const git = gitCommandOf(args)
  return [git.subcommand, ...operandsOf(git.args).map(({ text }) => text)]
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** Programs whose first operand says what they do. */
const MANY_IN_ONE = words(`
  git gh npm pnpm yarn bun npx go cargo docker kubectl mise make just task pip uv poetry dotnet
  brew deno terraform aws gcloud az helm mvn gradle gradlew swift rails bundle composer`)

/** Program and subcommand, as people call a command: `npm test`, `git commit`. */
export function headOf({ program, args }: Invocation): string {
  if (!MANY_IN_ONE.has(program)) return program
  const operands = program === 'git' ? gitOperands(args) : operandsOf(args).map(({ text }) => text)
  const script = operands[0] === 'run' && operands[1] !== undefined ? ` ${operands[1]}` : ''
  const head = `${program} ${operands[0] ?? ''}${script}`.trim()
  return head.length <= 60 && !/[\n\r]/.test(head) ? head : program
}
