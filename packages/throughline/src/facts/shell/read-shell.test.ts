import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPowershell } from './powershell.ts'
import { readShell } from './read-shell.ts'
import { expectLinear } from '../../testing/growth.ts'
import type { Effect } from '../lens.ts'

type Row = [script: string, ...effects: string[]]

/** An effect in one line, as the tables below have it. */
function told(effect: Effect): string {
  if (effect.type === 'search')
    return `search ${effect.words}${effect.path ? ` in ${effect.path}` : ''}`
  if (effect.type === 'rename') return `rename ${effect.path} → ${effect.to}`
  const range = effect.type === 'read' && effect.range ? ` ${effect.range.join('-')}` : ''
  const tree = effect.type === 'delete' && effect.tree ? ' tree' : ''
  return 'path' in effect ? `${effect.type} ${effect.path}${range}${tree}` : effect.type
}

function effectsOf(script: string, failed = false): string[] {
  return readShell(script, { directory: '', failed }).effects.map(told)
}

describe('what a command does to files is read from its words', () => {
  test.each<Row>([
    // Writing.
    ['echo x > out.txt', 'create out.txt'],
    ['echo x >> log.txt', 'edit log.txt'],
    ['cmd >file 2>&1', 'create file'],
    ['cmd &> all.log', 'create all.log'],
    ['npm test > /dev/null 2>/dev/null'],
    ["cat > src/a.ts <<'EOF'\nit's $x > y\nEOF\ntouch b.ts", 'create src/a.ts', 'create b.ts'],
    ['cat <<EOF > a.md\nrm -rf /\nEOF', 'create a.md'],
    ['make | tee build.log', 'create build.log'],
    ['make | tee -a build.log', 'edit build.log'],
    ['curl -fsSL https://x.y/z -o tool.sh', 'create tool.sh'],
    // Removing, moving, copying.
    ['rm a.ts b.ts', 'delete a.ts', 'delete b.ts'],
    ['rm -rf dist', 'delete dist tree'],
    // Without quotes a shell takes the backslashes of Windows away: the path is what is meant.
    [String.raw`rm D:\work\a.ts`, 'delete D:/work/a.ts'],
    ['rm -f -- -odd.ts', 'delete -odd.ts'],
    ['mv a.ts b.ts', 'rename a.ts → b.ts'],
    ['mv a.ts src/', 'rename a.ts → src/a.ts'],
    ['mv a.ts b.ts src', 'rename a.ts → src/a.ts', 'rename b.ts → src/b.ts'],
    ['mv a.ts src', 'rename a.ts → src/a.ts'],
    ['mv Makefile Makefile.old', 'rename Makefile → Makefile.old'],
    ['cp a.ts b.ts', 'create b.ts'],
    ['cp -r src copy'],
    ['git mv old.ts new.ts', 'rename old.ts → new.ts'],
    ['git rm old.ts', 'delete old.ts'],
    ['git rm --cached old.ts'],
    // Changing in place.
    ["sed -i 's/a/b/' src/a.ts", 'edit src/a.ts'],
    ["sed -i '' 's/a/b/' a.ts b.ts", 'edit a.ts', 'edit b.ts'],
    ["sed -i.bak -e 's/a/b/' a.ts", 'edit a.ts'],
    ["perl -pi -e 's/a/b/' a.ts", 'edit a.ts'],
    ['gofmt -w cmd/main.go', 'edit cmd/main.go'],
    ['npx prettier --write src/a.ts', 'edit src/a.ts'],
    ['npx prettier --check src/a.ts'],
    ['git checkout -- src/a.ts', 'edit src/a.ts'],
    ['git checkout --theirs src/a.ts', 'edit src/a.ts'],
    ['git restore src/a.ts', 'edit src/a.ts'],
    ['git restore --staged src/a.ts'],
    ['git checkout -- .'],
    ['git checkout main'],
    [
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n.ts\n+x\n*** End Patch\nEOF",
      'create n.ts',
    ],
    ['git apply <<EOF\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\nEOF', 'edit x.ts'],
    // Reading.
    ['cat a.ts b.ts', 'read a.ts', 'read b.ts'],
    ["sed -n '12,40p' a.ts", 'read a.ts 12-40'],
    ['nl -ba a.ts | sed -n "1,260p"', 'read a.ts 1-260'],
    ['head -20 a.ts', 'read a.ts 1-20'],
    ['head -n 5 a.ts', 'read a.ts 1-5'],
    ['tail -n 40 a.log', 'read a.log'],
    ['rg -n "foo|bar" src', 'search foo|bar'],
    ['grep -n foo src/a.ts', 'search foo in src/a.ts'],
    // Where.
    ['cd sub && touch a.ts', 'create sub/a.ts'],
    ['cd /abs/dir && rm a.ts', 'delete /abs/dir/a.ts'],
    ['(cd sub && touch a.ts); touch b.ts', 'create sub/a.ts', 'create b.ts'],
    ['git -C /repo mv a b', 'rename /repo/a → /repo/b'],
    ['cd "$DIR" && touch a.ts'],
    ['cd "$DIR" && touch /abs/a.ts', 'create /abs/a.ts'],
    // Around it.
    ['bash -lc "rm a.ts"', 'delete a.ts'],
    ["/bin/zsh -lc 'cat a.ts'", 'read a.ts'],
    ['sudo env A=1 timeout 30 rm a.ts', 'delete a.ts'],
    ['FOO=bar rm a.ts', 'delete a.ts'],
    ["git commit -m \"$(cat <<'EOF'\nfeat: don't > break (it)\nEOF\n)\" && rm a.ts", 'delete a.ts'],
    ['rm a.ts # and not b.ts', 'delete a.ts'],
    ['rm "my file.ts"', 'delete my file.ts'],
    [String.raw`rm my\ file.ts`, 'delete my file.ts'],
    ['rm a.ts || true', 'delete a.ts'],
  ])('%s', (script, ...effects) => {
    expect(effectsOf(script)).toEqual(effects)
  })
})

describe('what is not certain is not told', () => {
  test.each([
    'rm $FILE',
    'rm "${FILE}.ts"',
    'rm *.ts',
    'rm src/{a,b}.ts',
    'rm `ls`',
    'rm $(git ls-files)',
    'for f in a.ts b.ts; do rm "$f"; done',
    'if [ -f a.ts ]; then rm a.ts; fi',
    'if [[ a > b ]]; then touch c; fi',
    'test -f a.ts || touch a.ts',
    'ls | xargs rm',
    'f() { rm a.ts; }',
    'ssh host "rm a.ts"',
    "echo 'rm a.ts'",
    'rm "unfinished',
    'apply_patch <<EOF\n*** Begin Patch\n*** Add File: $NAME.ts\n+x\n*** End Patch\nEOF',
    'diff <(sort a) <(sort b)',
    'mkdir -p src/new',
    'case x in a.ts) rm a.ts ;; esac',
  ])('%s', (script) => {
    expect(effectsOf(script)).toEqual([])
  })
})

describe('a script that failed has done what came before its last list', () => {
  test.each<Row>([
    ['rm a.ts'],
    ['touch a.ts && false'],
    ['touch a.ts; false', 'create a.ts'],
    ["cat > a.ts <<'EOF'\nx\nEOF\nnpm test", 'create a.ts'],
    ['set -e\ntouch a.ts\nfalse'],
    ['bash -c "touch a.ts; false"', 'create a.ts'],
  ])('%j', (script, ...effects) => {
    expect(effectsOf(script, true)).toEqual(effects)
  })
})

describe('a command is known by its head, and by what it is for', () => {
  test.each([
    ['npm test', 'npm test', 'check'],
    ['npm run build -- --watch', 'npm run build', 'check'],
    ['cd /a && pnpm -s check-types 2>&1 | tail -3', 'pnpm check-types', 'check'],
    ['env GOCACHE=/tmp/x go test ./...', 'go test', 'check'],
    ['python3 -m pytest -q', 'python3', 'check'],
    ['npx tsc --noEmit', 'npx tsc', 'check'],
    ['mise run lint', 'mise run lint', 'check'],
    ['make', 'make', 'check'],
    ['make clean', 'make clean', 'act'],
    ['git commit -m x', 'git commit', 'act'],
    ['git push', 'git push', 'act'],
    ['npm install left-pad', 'npm install', 'act'],
    ['node script.js', 'node', 'act'],
    ['echo x > a.txt', 'echo', 'act'],
    ['git status --short', 'git status', 'look'],
    ['git --no-pager log -3', 'git log', 'look'],
    ['ls -la && cat a.ts', 'ls', 'look'],
    ['rg foo | head', 'rg', 'look'],
    ['gh pr view 12', 'gh pr', 'look'],
    ['gh api repos/a/b/pulls', 'gh api', 'look'],
    ['gh api repos/a/b/pulls -f body=x', 'gh api', 'act'],
  ])('%s', (script, head, purpose) => {
    expect(readShell(script, { directory: '', failed: false })).toMatchObject({ head, purpose })
  })
})

describe('PowerShell is read by its own rules', () => {
  test.each<Row>([
    ['Get-Content docs\\a.md -Tail 12', 'read docs/a.md'],
    ['Set-Content -Path a.txt -Value "x"', 'create a.txt'],
    ['"x" | Out-File out.txt', 'create out.txt'],
    ['Add-Content log.txt "x"', 'edit log.txt'],
    ['Remove-Item -Recurse -Force dist', 'delete dist tree'],
    ['Move-Item a.ts b.ts; Copy-Item b.ts c.ts', 'rename a.ts → b.ts', 'create c.ts'],
    ['Rename-Item -Path a.ts -NewName b.ts', 'rename a.ts → b.ts'],
    ['New-Item -ItemType Directory src'],
    ['git log > $env:TEMP\\x.md'],
    ['$x = Get-Content a.ts', 'read a.ts'],
    ["'rm a.ts'"],
    ['Remove-Item $file'],
  ])('%s', (script, ...effects) => {
    const { effects: found } = readPowershell(script, { directory: '', failed: false })
    expect(found.map(told)).toEqual(effects)
  })
})

const fragment = fc.constantFrom(
  'rm ',
  'mv ',
  'cat ',
  '> ',
  '>> ',
  '<<EOF\n',
  'EOF\n',
  "'",
  '"',
  '$(',
  ')',
  '(',
  '`',
  '\\',
  '\n',
  ';',
  '&&',
  '||',
  '|',
  '{',
  '}',
  '$x',
  '*',
  'a.ts ',
  'b/c.ts ',
  'if ',
  'then ',
  'fi ',
  'case ',
  'in ',
  'esac ',
  'for ',
  'do ',
  'done ',
  '[[ ',
  ']] ',
  '#',
  '${',
  'bash -c ',
  'sed -i ',
  'cd ',
  '<(',
  '@"',
  "@'",
  '&',
  '2>&1 ',
)
const script = fc.oneof(
  fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 120 }),
)

test('no script makes the reader throw, and every path stands in the script', () => {
  const segments = (path: string): string[] =>
    path.split(/[/\\]/).filter((part) => !['', '.', '..'].includes(part))
  fc.assert(
    fc.property(script, fc.boolean(), (text, failed) => {
      // A backslash, a quote or a line end inside of a word is not part of the path.
      const plain = text.replaceAll(/[\\'"\n`]/g, '')
      for (const read of [readShell, readPowershell]) {
        for (const effect of read(text, { directory: '', failed }).effects) {
          if (!('path' in effect) || effect.path === undefined) continue
          for (const part of segments(effect.path))
            expect(plain).toContain(part.replaceAll(/[\\'"\n`]/g, ''))
        }
      }
    }),
    { numRuns: 400 },
  )
})

describe('the cost grows with the length, whatever the script is', () => {
  const pieces = [
    '[[ ',
    '$(',
    '((',
    '"',
    "'",
    '`',
    '<<A\n',
    '<<A ',
    '{ ',
    '( ',
    '${',
    'if ',
    '| ',
    'a ',
    '\\',
    ') ',
    'f(',
    'bash -c "',
    'cd a;',
    '$((',
    '<(',
  ]
  test.each(pieces)('%j', async (piece) => {
    const reading = (times: number) => (): void => {
      const text = piece.repeat(times)
      readShell(text, { directory: '', failed: false })
      readPowershell(text, { directory: '', failed: false })
    }
    await expectLinear(reading, { small: 4_000, large: 32_000 })
  })
})
