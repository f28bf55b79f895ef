import { guardsOf } from './guard.ts'

type Row = readonly [guard: string, find: string, replace?: string]

/** What a file of the search finds, each by a piece of code of its own. */
const found = (file: string, rows: readonly Row[]) =>
  rows.map(([guard, find, replace = '']) => ({
    guard,
    file: `log/redaction/${file}.ts`,
    find,
    replace,
    tests: ['log/redaction/'],
  }))

/** Each way in which a secret may be written is found by a piece of code of its own. */
export const secretsGo = guardsOf('redact', [
  ...found('unescape', [
    [
      'form: \\u0026, as Go and others write JSON',
      "if ((kind === 'u' || kind === 'U') && escape.length > 2) {",
      'if (false) {',
    ],
    [
      'form: \\x26, as Python and JavaScript write bytes',
      "if (kind === 'x' && escape.length > 3) return bytesAt(escape, 4, 2, 16)",
    ],
    [
      'form: \\046, as C, git and shells write bytes',
      'if (/^\\\\[0-3][0-7]{2}/.test(escape)) return bytesAt(escape, 4, 1, 8)',
    ],
    [
      'form: \\/ and other characters behind a backslash',
      'return letters[kind] ?? kind',
      'return letters[kind]',
    ],
    [
      'form: \\n and other letters behind a backslash',
      'return letters[kind] ?? kind',
      'return kind',
    ],
    ['form: a backslash at the end of a line', "if (kind === '\\n' || kind === '\\r') return ''"],
    ['form: %26, as URLs and forms write bytes', 'bytesAt(escape, 3, 1, 16)', 'undefined'],
    ['form: %2f in small letters', '(?:%[\\da-fA-F]{2})+', '(?:%[\\dA-F]{2})+'],
    [
      'form: %u0026, as old scripts write characters',
      "escape[1] === 'u' ? codePoint(escape.slice(2), 16) : ",
    ],
    [
      'form: &amp;amp; and other entities by name',
      'return entities[name.toLowerCase()]',
      'return undefined',
    ],
    [
      'form: &amp;#x26; and other entities by hexadecimal number',
      "if (name.startsWith('#x') || name.startsWith('#X')) return codePoint(name.slice(2), 16)",
    ],
    [
      'form: &amp;#38; and other entities by number',
      "if (name.startsWith('#')) return codePoint(name.slice(1), 10)",
    ],
    ['form: quotes within quotes of a shell, SQL and CSV', '|\'\'|""`', '`'],
    ["form: '\\'' within single quotes of a shell", "'\\\\''|'\"'\"'|"],
    [
      'form: carets of cmd and backticks of PowerShell',
      "String.raw`\\^[&|<>^()%!\"]|` + '`[$`\"\\'#{}]',",
    ],
    ['form: a hyperlink of a terminal', '|\\][^\\x07\\x1b]{0,400}(?:\\x07|\\x1b\\\\)'],
    ['form: characters without width', '[\\0\\p{Default_Ignorable_Code_Point}\\ufeff]+', '[\\0]+'],
  ]),
  ...found('secret', [
    ['form: + for a space', "if (text.trim().includes(' ')) forms.add(text.replaceAll(' ', '+'))"],
    ['form: escapes within escapes', 'const deepest = 8', 'const deepest = 1'],
    [
      'form: colors and other orders to a terminal',
      'const next = visible(last) ?? unescaped(last)',
      'const next = unescaped(last)',
    ],
    [
      'form: characters that are composed otherwise',
      "new Set([text, text.normalize('NFC'), text.normalize('NFD')])",
      'new Set([text])',
    ],
  ]),
  ...found('find-secret', [
    ['form: base64', 'lookIntoBase64(joined ?? last, search, depth)'],
    [
      'form: base64 in lines',
      'lookIntoBase64(joined ?? last, search, depth)',
      'lookIntoBase64(last, search, depth)',
    ],
    [
      'form: base64 behind what looks like a part of it',
      '([0, 1, 2, 3] as const)',
      '([0] as const)',
    ],
    [
      'form: base64 of what does not begin like a text',
      "secret.base64.some((each) => text.includes(each)) ? 'all' : 'readable'",
      "secret.base64.some((each) => text.includes(each)) ? 'readable' : 'readable'",
    ],
    ['form: encodings within encodings', 'const deepest = 6', 'const deepest = 1'],
    ['form: hexadecimal digits', 'lookInto(hexBytes(reading, 0), search, depth)'],
    ['form: hexadecimal digits behind an odd one', 'lookInto(hexBytes(reading, 1), search, depth)'],
    ['form: a list of numbers', 'lookInto(numberedBytes(reading), search, depth)'],
    [
      'form: bytes of UTF-8 that were read as characters',
      '  find(reading, secret.bytes, search)\n  for (const each of texts)',
      '  for (const each of texts)',
    ],
    [
      'form: lines that a terminal broke',
      "if (joined) findLoose(withoutSpaces(joined) ?? joined, 'wrapped', search)",
    ],
    [
      'form: words that were broken into lines',
      "    findLoose(withoutSpaces(reading), 'wrapped', search)\n",
      '    void 0\n',
    ],
    [
      'form: texts that a program or a shell puts together',
      "findLoose(withoutQuotes(joined ?? reading), 'quoted', search)",
    ],
    [
      'form: pieces of a stream',
      "for (const each of decodedTexts(streamed)) findLoose(each, 'streamed', search)",
      'void streamed',
    ],
    ['form: uuencode', 'lookInto(uuencodedBytes(each), search, depth)'],
    ['form: dumps', 'of dumpedBytes(last)', 'of []'],
    ['form: base32', 'of base32Bytes(reading)', 'of []'],
    ['form: quoted-printable and CSS', 'of texts.flatMap(rarelyUnescaped)', 'of []'],
    ['bytes hold no secret', 'if (found.length === 0) return bytes', 'return bytes'],
  ]),
  ...found('encoded-bytes', [
    ['form: base64 for URLs', '`${plain64}+/`, `${plain64}-_`', '`${plain64}+/`'],
    ['form: hexadecimal digits with something between the pairs', '(?:,[ +]|[ :,+=-])?'],
  ]),
  ...found('characters', [
    ['form: UTF-16', 'return [0, 1].flatMap((from) =>', 'return [].flatMap((from: number) =>'],
    [
      'form: UTF-16 that begins at an odd byte',
      'return [0, 1].flatMap((from) =>',
      'return [0].flatMap((from) =>',
    ],
    [
      'form: UTF-16 with the big end first',
      "(['low', 'high'] as const)",
      "(['low', 'low'] as const)",
    ],
  ]),
  ...found('join-lines', [
    ['form: lines with numbers and frames before them', 'gutter.test(text)', 'void gutter'],
    [
      'form: lines with frames behind them',
      'if (from > begin && continues.has(text[from - 1] as string)) {',
      'if (false) {',
    ],
  ]),
  ...found('split-secret', [
    [
      'form: two parts or two messages',
      'if (from < border && to > border) this.#cut(pieces, { from, to, between })',
    ],
    [
      'form: outputs that go on after other messages',
      "for (const stream of ['any', said.stream] as const)",
      "for (const stream of ['any'] as const)",
    ],
    [
      'form: pieces of a few letters',
      'from > 0 ? all.slice(-1) : this.#newest(all)',
      'all.slice(-1)',
    ],
  ]),
  ...found('near-misses', [
    [
      'what looks like the secret is told',
      'return watch.why ? [{ ref, why: watch.why }] : []',
      'return []',
    ],
    [
      'what looks like it beside the parts of a message is told',
      '    { ref: ref(entry.seq), value: others },\n',
      '    { ref: ref(entry.seq), value: others.seq },\n',
    ],
  ]),
  ...found('likeness', [
    ['a secret written backwards is told', 'all.includes(backwards)', 'all.includes(bare)'],
    ['pieces of a secret are told', 'if (holdsPieces(all, letters, onPart) ||', 'if ('],
    ['a masked secret is told', "if (isMasked(read, text)) return 'a piece of it'"],
    [
      'letters that look like others are told',
      'if (isWritten && holdsPieces(signs.alike, alike)) return apart',
    ],
    ['letters that stand apart are told', 'if (standsApart(', 'if (false && standsApart('],
    ['bytes as numbers are told', 'holdsPieces(row, bytes)', 'false'],
    ['digits of another base are told', 'holdsDigits(read, signs)) return', 'false) return'],
    ['ROT13 and its like are told', 'if (isReplaced(read, steps)) return', 'if (false) return'],
    ['packed data is told', 'isPacked(read, form) ?', 'false ?'],
  ]),
  ...found('inspection', [
    [
      'words of a secret next to each other are told',
      'if (one.parts.length > 0) this.#parts.add(one.seq)',
      'void one',
    ],
    [
      'what is left of a piece that was cut out is told',
      'return isCut ? [{ ref: ref(entry.seq), why: piece }] : near',
      'void isCut\n    return near',
    ],
  ]),
  {
    guard: 'reasoning that only its provider can read goes with a secret',
    file: 'log/redaction/inspection.ts',
    find: 'withoutSeals(withoutBlock(clean ?? entry))',
    replace: 'withoutBlock(clean ?? entry)',
    tests: ['session/operations/redaction.test.ts'],
  },
  {
    guard: 'reasoning without its seal says so, and is not sent again',
    file: 'log/redaction/sealed-reasoning.ts',
    find: "text: part.text === '' ? redacted : `${part.text}\\n${redacted}`",
    replace: 'text: part.text',
    tests: ['session/operations/redaction.test.ts'],
  },
  {
    guard: 'a call of Gemini stays one that Gemini takes',
    file: 'log/redaction/sealed-reasoning.ts',
    find: 'providerOptions: callOptions(options)',
    replace: 'providerOptions: unsealed(options, 0) as ProviderOptions',
    tests: ['session/operations/redaction.test.ts'],
  },
])
