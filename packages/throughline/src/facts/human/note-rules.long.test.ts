import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyFacts } from '../facts-of.ts'
import { mayContradict } from './change-of-mind.ts'
import { noteRules } from './note-rules.ts'
import { expectLinear } from '../../testing/growth.ts'
import { humanWords } from './speech.ts'
import type { RuleFact } from '../facts.ts'

/** The rules after these messages of the human, with the seqs 1, 2, 3… */
function rulesOf(...messages: string[]): RuleFact[] {
  const facts = emptyFacts()
  messages.forEach((text, at) => {
    const words = humanWords([text])
    facts.requests.push({ text: words, seq: at + 1 })
    noteRules(facts, words, at + 1)
  })
  return facts.rules
}

describe('a standing rule is kept word for word', () => {
  test.each([
    'no me pongas recetas con pescado',
    'A partir de ahora las recetas para dos personas.',
    'Dann möchte ich immer kurze Antworten.',
    'Eine Datei pro Klasse.',
    // English
    'never push',
    'Never push to main without asking me.',
    'use pnpm',
    'Use pnpm, not npm.',
    'No new dependencies.',
    'Write no tests for now.',
    'Indent with tabs everywhere.',
    'One commit per file.',
    'Un commit por tarea.',
    'Log nothing at debug level in production code.',
    'Nobody but me merges.',
    'Каждый файл не длиннее 200 строк.',
    'Só responda em português.',
    'Jede Antwort höchstens fünf Sätze.',
    'Nothing outside src/ changes.',
    'Secrets never go into logs.',
    'Answers in at most three sentences.',
    'pnpm only.',
    'Whenever a test fails, stop and tell me.',
    'Every function gets a doc comment.',
    'Verwende überall Tabs.',
    "N'ajoute aucune dépendance.",
    'Great, but never push to main.',
    'perfect, from now on always use pnpm',
    'завжди запускай тести перед комітом',
    'ніколи не чіпай папку config, домовились?',
    'we don’t use the word unfortunately in replies',
    'I want answers in British spelling, always',
    'Check with me before you install anything.',
    'Until Friday, merge nothing into main.',
    "I'd rather you didn't touch the migrations folder.",
    'Fino a lunedì non pubblicare nulla.',
    'Před nasazením počkej na můj souhlas.',
    'Every PR needs a changelog entry.',
    'I want every new function to come with a test.',
    'We use pnpm here, not npm.',
    'Refunds over $100 need my approval.',
    'From here on, address me as Dr. Lee.',
    'Frag mich, bevor du irgendetwas installierst.',
    'Toda função nova precisa de um teste.',
    'Niente emoji nei messaggi di commit.',
    'Bir şey kurmadan önce bana sor.',
    'اسألني قبل أن تثبت أي شيء.',
    'Папку vendor не трогай.',
    '回答一律用中文。',
    'please use tabs instead of spaces',
    'always run tests before committing',
    'You should always ask first',
    "don't touch the config",
    'Do not edit files under vendor/.',
    "ok, and don't commit yet",
    'From now on, answer in Vietnamese',
    'reply in German please',
    'only use the standard library',
    'make sure that every function has a test',
    'prefer small functions over comments',
    'Avoid default exports.',
    'no emojis',
    'I never want you to force-push',
    "i don't want you to commit docs",
    'Remember: the API must stay stable',
    'remember to update the changelog',
    'The icons must be pngs',
    'tests must never hit the network',
    'all commands should run in the terminal',
    'ask me before you delete anything',
    'Important: keep the public API as it is',
    'run npm test before every commit',
    'stop adding comments',
    'let’s do small commits, use conventional commits',
    'leave the legacy folder alone',
    // Vietnamese
    'trả lời bằng tiếng Việt',
    'Đừng sửa file cấu hình',
    'không được push lên main',
    'luôn chạy test trước khi commit',
    'từ giờ hãy dùng pnpm',
    'chỉ sửa trong thư mục src',
    'tuyệt đối không xoá dữ liệu',
    'nhớ cập nhật README',
    'không commit vào nhánh chính',
    // Chinese
    '不要修改配置文件',
    '永远不要推送到主分支',
    '请用中文回答',
    '必须先运行测试再提交',
    '以后都用 pnpm',
    '只能修改 src 目录',
    '别动数据库',
    '提交前务必运行测试。',
    // Japanese
    '設定ファイルを変更しないでください',
    '必ずテストを実行してからコミットして',
    '日本語で答えてください',
    '今後は pnpm を使ってください',
    'main に push するな',
    'コメントの追加は禁止です',
    // Korean
    '설정 파일을 수정하지 마세요',
    '항상 커밋 전에 테스트를 실행해',
    '한국어로 답변해 주세요',
    '앞으로는 pnpm을 사용해',
    '절대 main에 푸시하지 마',
    // Russian
    'никогда не пушь в main',
    'Всегда запускай тесты перед коммитом',
    'отвечай по-русски',
    'не трогай конфиг',
    'используй pnpm, а не npm',
    // Spanish
    'nunca hagas push a main',
    'siempre ejecuta las pruebas antes de commitear',
    'responde en español',
    'no toques la configuración',
    'usa pnpm en vez de npm',
    // German
    'niemals auf main pushen',
    'Führe immer die Tests aus, bevor du committest',
    'antworte auf Deutsch',
    'ändere die Konfiguration nicht',
    'verwende pnpm statt npm',
    // Others, by a few words of theirs
    'Gardez les noms publics tels quels.',
    'Réponds en français.',
    'Nu folosi biblioteci noi.',
    'Păstrează mereu ordinea coloanelor.',
    'Não altere a configuração.',
    'Non toccare il file di configurazione.',
    'Pusha inte till main.',
    'Raak de configuratie niet aan.',
    'Nie commituj nic bez pytania.',
    'Nesahej na konfiguraci.',
    'Yapılandırma dosyasına dokunmayın.',
    'Не чіпай конфігурацію.',
    'Μην αλλάξεις τίποτα.',
    'لا تغير الملف.',
    'אל תיגע בקובץ.',
    'Alle Felder müssen einen Namen haben.',
    'Todos los campos deben tener un nombre.',
    'Alle Kommentare im Code auf Englisch.',
    'Keine Emojis in den Texten.',
    'Only the reports should have a date.',
    'Note that you cannot use interactive commands.',
    'When creating documents, use Markdown by default:',
    'Ne supprime jamais les sauvegardes sans me demander.',
    'Usa sempre i metri, non i piedi.',
    'Sla de kopie altijd op in de map van het project.',
    'Skriv aldrig till kunden utan mig.',
    'Nigdy nie zmieniaj umowy bez mojej zgody.',
    'Sunucuyu asla yeniden başlatma, bana sor.',
    'Jangan pernah kirim surel tanpa izin saya.',
    'Ніколи не видаляй записи з бази.',
    'לעולם אל תשלח הודעה בלי לשאול.',
    'हमेशा हिंदी में जवाब दो।',
    'Μην στέλνεις ποτέ τίποτα χωρίς να με ρωτήσεις.',
    'Nu șterge niciodată fișierele din arhivă.',
    'ห้ามลบไฟล์ในโฟลเดอร์นี้',
  ])('%s', (text) => {
    expect(rulesOf(text).map((rule) => rule.text)).toEqual([text])
  })
})

describe('what is no rule is not taken for one', () => {
  test.each([
    // Others said so.
    'He said that we should never use mocks in tests',
    'yesterday Anna told me that you must always run the linter',
    'the docs say you must always pass a key',
    '«Das haben wir nie so gemacht. Immer zuerst fragen.»',
    // Who tells of people asks nothing of the agent.
    'Da waren wir immer nur wandern',
    'Letzten Winter hat man mich nie gefragt',
    'Ele nunca comprou nada a prazo.',
    'Certe volte penso di cambiare mestiere, poi arriva lei e mi passa',
    'he must be retired',
    'must be nice to live in Spain',
    'you never know with these batteries',
    'orange rocks, nothing grows',
    'I told you email only',
    'agora manda a ata pro síndico',
    'no worries',
    'can you look at the failing test?',
    'it never worked on Windows',
    'why do you always run the linter first?',
    "I don't know why this fails",
    "don't worry about it",
    'No tests failed this time.',
    'Every test passes now.',
    'No funcionan los tests.',
    'No hay errores.',
    'No tenemos tests.',
    'So far no complaints.',
    'Nothing else to report from my side.',
    'Take at least one screenshot.',
    'Every second request times out.',
    'Each of them costs 20 euros.',
    'Nobody has seen this error before.',
    'Write the summary now, at most ten lines.',
    'Chaque test a échoué.',
    'Keiner hat geantwortet.',
    '.entire/settings.json enables telemetry by default in a public repo.',
    'Every commit triggered a build yesterday.',
    'sync failed: no source refs matched',
    'So no need to show those details',
    'Rename foo to bar everywhere.',
    'Delete all branches.',
    'this test always fails on CI',
    'never mind',
    'yes, use it',
    'use option 3 for the new one and then continue with the refactoring of the other parts',
    'ok, continue',
    'what does this function do',
    'the parser should handle tabs',
    'we must have missed something',
    'No, I meant the other file.',
    'No I think this is fine and has to much risk of a false alarm.',
    'Rename it to the same name before the demo.',
    'thanks, you always find these so fast',
    'дякую, ти завжди виручаєш',
    'maybe we should always write the tests first, just thinking out loud',
    'All tickets since tuesday have been closed by the bot',
    'кнопка ніколи не працює з першого разу',
    'il login non funziona mai al primo colpo',
    'siempre se cae el servidor los lunes',
    'Wait, don’t do that, go back to the previous version.',
    'Error: You must not call setState during render.',
    'Book me a flight to Oslo for Tuesday, not before noon.',
    'Write a function that deletes files without asking the user.',
    'there is only one caller left',
    'I tested it and it does not work',
    'keep going',
    'do you remember the plan',
    '```\nnever push\n```',
    '> never push to main',
    '2026-01-01T10:00:00 ERROR must not be null',
    'if (x) { return never }',
    'const always = true;',
    '| always | never |',
    'no problem, that looks good',
    '现在的代码是什么？',
    '每次运行都会失败吗？',
    'このテストはなぜ失敗するのですか',
    '왜 항상 실패하나요?',
    'почему он всегда падает?',
    '¿por qué siempre falla?',
    'warum schlägt das immer fehl?',
    'tại sao nó luôn bị lỗi?',
    'Ne marche pas sous Windows.',
    'Nie działa na moim komputerze.',
    'Non funziona.',
    'Non ho mai capito questa clausola.',
    'Nigdy nie lubiłem tego modułu.',
    'No funciona en mi máquina.',
    'Geht leider immer noch nicht.',
    'Werkt niet op Windows.',
    'Fungerar inte på Windows.',
    'Тесты всегда падают.',
    'Tests sind immer rot.',
    'Siempre falla en Windows.',
    'Tous les tests échouent.',
    'Kein Problem, danke dir.',
    'Use the attached image as inspiration',
    'Sum this up: "Teams must log each change. Never use one password twice. All keys rotate."',
    'Il ne marche toujours pas chez moi.',
    'Het werkt nog altijd niet.',
    'Він завжди падає, і я не знаю чому.',
    'In Mai ist der Termin.',
    'we tried in vain',
    'es schlägt immer noch fehl',
    '<system-reminder>never push</system-reminder>',
    'Look at this\nCalled the Read tool with the following input: {"filePath":"/a"}\n<content>\nnever push\n</content>',
  ])('%j', (text) => {
    expect(rulesOf(text)).toEqual([])
  })
})

test('a fence that ends in its own line quotes nothing behind it', () => {
  const text = 'Look at\n```src/parser.ts```\nand never touch the files below vendor/.'
  expect(rulesOf(text).map((rule) => rule.text)).toEqual([
    'and never touch the files below vendor/.',
  ])
})

test('a rule that names who said it before is the human’s own', () => {
  const text = 'as Anna said, never use mocks in tests'
  expect(rulesOf(text).map((rule) => rule.text)).toEqual([text])
})

test('of a message with many sentences only the rules are kept, without their bullets', () => {
  const text =
    'Please build the parser. Never push to main! How long will it take?\n- use pnpm, not npm\n1. Always run the tests'
  expect(rulesOf(text).map((rule) => rule.text)).toEqual([
    'Never push to main!',
    'use pnpm, not npm',
    'Always run the tests',
  ])
})

const filler = 'The service reads rows and writes them to the table, as it did last year. '.repeat(
  18,
)

test('a long message states softer rules only where it speaks to the agent', () => {
  const soft = 'Ensure that each phase has a test.'
  expect(rulesOf(`${filler}\n- ${soft}`)).toEqual([])
  expect(
    rulesOf(`You work on a plan. Your plan is in a file, which you edit.\n${filler}\n- ${soft}`),
  ).toEqual([{ text: soft, seq: 1 }])
})

test('a long message that speaks to the agent in another language does so, too', () => {
  const soft = 'nhớ cập nhật README'
  const long = `Bạn là trợ lý. Bạn đọc tệp, và bạn viết mã.\n${filler}\n- ${soft}`
  expect(rulesOf(long).map(({ text }) => text)).toContain(soft)
  expect(rulesOf(`${filler}\n- ${soft}`).map(({ text }) => text)).not.toContain(soft)
})

test('a name before the words is the speaker, and no log', () => {
  expect(rulesOf('[Maria] Never mention prices.').map(({ text }) => text)).toEqual([
    '[Maria] Never mention prices.',
  ])
  expect(rulesOf('[ERROR] never mention prices')).toEqual([])
})

test('a rule that is said twice is one rule', () => {
  expect(rulesOf('never push', 'Never push!')).toEqual([{ text: 'never push', seq: 1 }])
})

describe('a rule that the human takes back is marked as taken back', () => {
  test.each([
    ['never push', 'ok, you can push now'],
    ['Never mention prices in it.', 'Prices are fine after all.'],
    ['Never commit without asking me for review.', 'You can commit now.'],
    ['Lance toujours les tests.', 'Plus besoin de lancer les tests.'],
    ['Usa sempre i metri.', 'Dimentica la regola sui metri.'],
    ['Svar altid på dansk.', 'Du behøver ikke svare på dansk mere.'],
    ['اكتب التعليقات بالعربية دائما.', 'لم يعد من الضروري كتابة التعليقات بالعربية.'],
    ['Stuur nooit een mail zonder mijn akkoord.', 'Mails mag je zonder mijn akkoord sturen.'],
    ['Gebruik altijd meters.', 'Vergeet wat ik zei over meters.'],
    ['Radera aldrig loggar.', 'Du får radera loggar.'],
    ['Nigdy nie zmieniaj umowy.', 'Możesz zmieniać umowę.'],
    ['Günlükleri asla değiştirme.', 'Günlükleri değiştirebilirsin.'],
    ['Jangan hapus berkas.', 'Berkas boleh hapus sekarang.'],
    ['Ніколи не видаляй записи.', 'Забудь правило про записи.'],
    ['Siempre ejecuta las pruebas.', 'Ya no hace falta ejecutar las pruebas.'],
    ['Immer die Tests ausführen.', 'Vergiss die Regel mit den Tests.'],
    ['Do not pay a bill until I confirm the bank.', 'The bank is confirmed, you can do it now.'],
    [
      'No pagues nada hasta que yo confirme el banco.',
      'El banco está confirmado, ya puedes pagar.',
    ],
    ['Ne commitez jamais, je relis tout.', 'Finalement tu peux committer.'],
    ['不要修改生产配置', '生产配置现在可以改了'],
    ['never push to main', 'you may push to main again'],
    ["don't touch the config", 'it is fine now to touch the config'],
    ['use pnpm, not npm', 'forget the rule about pnpm'],
    ['always run tests before committing', 'you no longer need to run tests before committing'],
    ['answer in German', 'ignore what I said about German'],
    ['đừng push', 'bây giờ có thể push được rồi'],
    ['luôn chạy test', 'không cần chạy test nữa'],
    ['không được push lên main', 'bỏ quy tắc push lên main đi'],
    ['不要推送到主分支', '现在可以推送到主分支了'],
    ['必须先运行测试', '不用再先运行测试了'],
    ['設定ファイルを変更しないでください', '設定ファイルを変更してもいいです'],
    ['설정 파일을 수정하지 마세요', '이제 설정 파일을 수정해도 됩니다'],
    ['никогда не пушь в main', 'теперь можешь пушь в main'],
    ['nunca hagas push a main', 'ya puedes hacer push a main'],
    ['niemals auf main pushen', 'du darfst jetzt auf main pushen'],
  ])('%s ← %s', (rule, retraction) => {
    // The words that take it back stand with it: whoever reads them can judge.
    expect(rulesOf(rule, retraction)).toEqual([
      { text: rule, seq: 1, retractedBy: 2, later: [{ text: retraction, seq: 2 }] },
    ])
  })
})

describe('a rule is not taken back by words about something else', () => {
  test.each([
    ['never push', 'you can see in the output what the push printed'],
    ['never push', 'can you push now?'],
    ['Never run migrations on production.', 'You can run the migrations on staging now.'],
    ['Never run the tests on production.', 'You can run the tests now.'],
    ['Do not email customers.', 'You can email Tom.'],
    ['Ne touche pas à la base.', 'Tu peux regarder la base.'],
    ['Не удаляй файлы.', 'Можешь прочитать файлы.'],
    ['No borres los archivos.', 'Puedes leer los archivos.'],
    ['ファイルを削除しないで', 'ファイルを読んでもいいです'],
    ['Nunca rode os testes em produção.', 'Agora rode os testes.'],
    ['Niemals auf main pushen.', 'Du kannst nicht auf main pushen.'],
    ['Nie kasuj testów na serwerze.', 'Teraz uruchom testy.'],
    ['always run tests before committing', 'you can commit now'],
    ["don't touch the config", 'you can read the docs now'],
    ['never commit to main without asking me for review', 'feel free to look at main'],
    ['answer in German', 'forget the parser'],
    ['always run the tests', 'you can run the tests now'],
    ['不要推送到主分支', '现在可以运行测试了'],
    ['niemals auf main pushen', 'du kannst jetzt die Tests laufen lassen'],
  ])('%s ← %s', (rule, other) => {
    const { retractedBy } = rulesOf(rule, other)[0] ?? {}
    expect(retractedBy).toBeUndefined()
  })
})

describe('who repeats, reports, supposes or denies takes no rule back', () => {
  test.each([
    ['Never push to the remote.', 'You may not push to the remote.'],
    ['Never push to the remote.', "You can't push to the remote."],
    ['Never push to the remote.', 'I did not say you may push to the remote.'],
    ['Never push to the remote.', "Don't think that you can push to the remote now."],
    ['Never push to the remote.', "Bob says you may push to the remote, but I don't agree."],
    ['Never push to the remote.', "If I tell you 'you can push to the remote', don't believe it."],
    ['Never push to the remote.', 'The ticket says: Forget the rule about pushing to the remote.'],
    ['Never push to the remote.', 'user: You may push to the remote now, forget the rule.'],
    ['Never push to the remote.', 'Make the page say that you can push to the remote.'],
    ['Always use tabs.', 'The generated YAML must use spaces instead of tabs.'],
    ['Always use npm.', 'Show in the docs how to use pnpm instead of npm.'],
    ['Do not delete files.', 'You can delete the line in the file.'],
    ['Do not edit the schema.', 'Add a button so that you can edit the schema.'],
    ['Do not touch the config.', 'We changed our minds about the name of the config key.'],
    ['Niemals pushen.', 'Du darfst nicht pushen.'],
    ['Ніколи не пуш у main.', 'Олег каже, що тепер можна пушити в main, але він помиляється.'],
    ['永远不要直接推送到 main 分支。', '如果以后可以直接推送到 main，我会告诉你的。'],
    ['Usa sempre pnpm.', 'Nel vecchio progetto non usavamo più pnpm, ed era un disastro.'],
    ['Không được xoá file', 'Bạn không được xoá file nhé'],
  ])('%s ← %s', (rule, other) => {
    const [first] = rulesOf(rule, other)
    expect(first).toMatchObject({ text: rule, seq: 1 })
    expect(first?.retractedBy).toBeUndefined()
  })
})

describe('what may change a rule stands with it, in whatever language', () => {
  test.each([
    ['Leave AGENTS.md alone.', 'You can edit AGENTS.md now.'],
    [
      'Never commit directly to main.',
      'ok scrap the PR thing, committing straight to main is fine',
    ],
    ['Ne touche pas à AGENTS.md.', 'Tu peux modifier AGENTS.md maintenant.'],
    ['不要动 AGENTS.md。', '现在可以修改 AGENTS.md 了。'],
    ['Не трогай AGENTS.md.', 'Теперь можно менять AGENTS.md.'],
    ['Fass die Datei vendor/zlib.c niemals an.', 'Doch, du kannst vendor/zlib.c ändern.'],
    ['Never push to the remote.', 'Please push to the remote when you are done.'],
  ])('%s ← %s', (rule, later) => {
    expect(rulesOf(rule, later)[0]).toEqual({
      text: rule,
      seq: 1,
      later: [{ text: later, seq: 2 }],
    })
    expect(rulesOf(rule, 'Fix the lexer in src/lexer.ts.')[0]).toEqual({ text: rule, seq: 1 })
  })
})

describe('an exception leaves the wider rule in force, and is told with it or after it', () => {
  test.each([
    ['Never push.', 'Actually, push it to the fork.'],
    ['Always write tests.', 'Except for the docs folder, no tests needed there.'],
    ["Don't add dependencies.", 'OK, adding zod is fine, but nothing else.'],
    ['Never touch the database schema.', 'For the users table you may change the schema.'],
    ['Keep functions under 40 lines.', 'Make that 60 lines.'],
    ['Niemals pushen.', 'Doch, push es auf den Fork.'],
    ['Schreibe immer Tests.', 'Außer für die Doku, da brauchst du keine Tests.'],
    ['Ne pousse jamais.', 'En fait, pousse-le sur le fork.'],
    ["N'ajoute aucune dépendance.", 'Pour le dossier tools tu peux ajouter une dépendance.'],
    ['Nunca hagas push.', 'En realidad, haz push al fork.'],
    ['Никогда не добавляй зависимости.', 'Для папки tools можно добавить одну зависимость.'],
  ])('%s ← %s', (rule, exception) => {
    const [first, ...others] = rulesOf(rule, exception)
    expect(first).toMatchObject({ text: rule, seq: 1 })
    expect(first?.retractedBy).toBeUndefined()
    const later = [...(first?.later ?? []), ...others].map(({ text }) => text)
    expect(later).toContain(exception)
  })
})

describe('a change that names no rule surely stands with the rules', () => {
  test.each([
    ['1. Never push.\n2. Always run the tests.\n3. Use tabs.', 'Forget rule 2.'],
    [
      'Never deploy on Fridays. Always ask me before you deploy.',
      "You don't need to ask me any more.",
    ],
    ['Never push; always run the tests; use tabs, not spaces.', 'Forget the tabs rule.'],
    [
      'Please do not push anything, npm test must be run each time, and I want tabs.',
      'I take back what I said about the tests.',
    ],
    ['Bitte keine Kommentare im Code schreiben.', 'Kommentare sind wieder ok.'],
  ])('%s ← %s', (rules, change) => {
    const noted = rulesOf(rules, change)
    expect(noted.every(({ retractedBy }) => retractedBy === undefined)).toBe(true)
    expect(noted.flatMap(({ later = [] }) => later.map(({ text }) => text))).toEqual([change])
  })

  test('a rule that was taken back is told with what is said of it since', () => {
    const [tabs] = rulesOf(
      'Use tabs, not spaces.',
      'Spaces are fine from now on, forget the tabs rule.',
      'Tabs again please, as in my first rule.',
    )
    expect(tabs?.later?.at(-1)).toEqual({ text: 'Tabs again please, as in my first rule.', seq: 3 })
    const [, again] = rulesOf('Never push.', 'You may push now.', 'No more pushing at all.')
    expect(again).toEqual({ text: 'No more pushing at all.', seq: 3 })
  })

  test.each(['English please.', 'In English, please.', 'auf Englisch bitte'])(
    'another language, named alone, takes the place of the one before: %s',
    (change) => {
      const [first, second] = rulesOf('Answer in German.', change)
      expect(first?.retractedBy).toBe(2)
      expect(second?.text).toBe(change)
    },
  )

  test.each([
    'Forget it, I fix the lexer.',
    'The German page is done.',
    'I read the English docs.',
  ])('what speaks of no rule is noted with none: %s', (said) => {
    expect(rulesOf('Never push.', said)).toEqual([{ text: 'Never push.', seq: 1 }])
  })
})

describe('a change of mind changes the rule', () => {
  test.each([
    // What a person says first, what they say later, and whether that is a rule itself.
    [
      'Do not commit anything.',
      'I changed my mind about commits: from now on commit after every finished module.',
      true,
    ],
    ['Do not commit anything.', 'I changed my mind about commits.', false],
    ['Use pnpm, not npm.', 'Use npm instead of pnpm from now on.', true],
    ['Use pnpm, not npm.', 'Actually, use npm, not pnpm.', true],
    ['Never push.', 'Actually, push after every green run.', true],
    ['Always answer in German.', 'From now on answer in English.', true],
    ['Always run the tests.', 'From now on do not run the tests.', true],
    [
      'Never edit the changelog.',
      'Forget what I said about the changelog, edit it with each change.',
      true,
    ],
    ['Never edit the changelog.', 'Forget what I said about the changelog.', false],
    ['Niemals committen.', 'Ab jetzt immer committen.', true],
    ['Ne commitez jamais vous-même, never commit.', "J'ai changé d'avis sur commit.", false],
    ['Use tabs for indentation.', 'No longer use tabs, use two spaces.', true],
    [
      'Always name modules in kebab-case.',
      'No longer use kebab-case: name them in camelCase.',
      true,
    ],
    ['Always run the linter before a commit.', 'You can stop running the linter now.', true],
    ['Always write comments.', "Don't write comments anymore.", true],
    ['никогда не пушь', 'теперь всегда пушь', true],
    ['不要提交代码', '从现在开始提交代码', true],
  ] as const)('%s ← %s', (rule, change, isRule) => {
    const [first, ...others] = rulesOf(rule, change)
    expect(first).toMatchObject({ text: rule, retractedBy: 2 })
    expect(others).toEqual(isRule ? [{ text: change, seq: 2 }] : [])
    // Said once more, it takes nothing back.
    expect(rulesOf(rule, change, change)).toEqual([first, ...others])
  })

  test('where code cannot be sure, both rules stay, and the newer one is said to hold', () => {
    const unsure = rulesOf('Do not commit anything.', 'Always commit after each module.')
    expect(unsure.map(({ retractedBy }) => retractedBy)).toEqual([undefined, undefined])
    expect(mayContradict(unsure)).toBe(true)
    expect(mayContradict(rulesOf('Never push to main.', 'Always run the tests.'))).toBe(false)
    // What stands in one message is one wish.
    expect(mayContradict(rulesOf('Do not commit anything. Always commit the docs.'))).toBe(false)
  })

  test.each([
    [
      'Name modules in kebab-case from now on, and follow docs/style.md as well.',
      'No longer use kebab-case: name them in camelCase.',
    ],
    ['Never write comments and always add tests.', 'Actually, do write comments.'],
  ])(
    'a rule of two demands stays where one of them changes, and says what was said of it: %s ← %s',
    (rule, change) => {
      const both = rulesOf(rule, change)
      expect(both).toEqual([
        { text: rule, seq: 1, later: [{ text: change, seq: 2 }] },
        { text: change, seq: 2 },
      ])
      expect(mayContradict(both)).toBe(true)
    },
  )

  test('what allows a part only is the rule from then on', () => {
    const [first, second] = rulesOf('Never push.', 'You can push now, but only to dev.')
    expect(first).toMatchObject({ text: 'Never push.', retractedBy: 2 })
    expect(second).toEqual({ text: 'You can push now, but only to dev.', seq: 2 })
  })

  test('of a message with several sentences each one counts', () => {
    const change = 'I changed my mind about commits. Commit after every finished module.'
    const rules = rulesOf('Do not commit anything.\nNever push.', change)
    expect(rules).toEqual([
      expect.objectContaining({ text: 'Do not commit anything.', seq: 1, retractedBy: 2 }),
      { text: 'Never push.', seq: 1 },
      ...rules.slice(2),
    ])
  })

  test.each([
    ['Never write tests.', 'Actually, do write them with vitest.', true],
    ['Do not write tests yet.', 'Actually, do write them with vitest.', true],
    ['Use tabs for indentation.', 'Scratch that, use spaces.', true],
    ['Use tabs for indentation.', 'Forget that, use spaces.', true],
    ['Never commit yourself.', 'From now on please commit after each step.', true],
    ['Utilise toujours npm.', 'Oublie ça, utilise toujours pnpm.', true],
    ['Keep functions under forty lines.', 'Forget the forty-line limit.', false],
    [
      'Mantén siempre las líneas por debajo de ochenta caracteres.',
      'Olvida el límite de ochenta caracteres.',
      false,
    ],
    [
      'Keine Datei darf länger als 200 Zeilen sein.',
      'Die Grenze von 200 Zeilen gilt nicht mehr.',
      false,
    ],
    ['No toques AGENTS.md.', 'Ahora puedes editar AGENTS.md, esa regla ya no vale.', false],
    ['Antworte immer auf Englisch.', 'Ab jetzt antworte bitte auf Deutsch.', true],
    ['Écris tous les messages de commit en anglais.', 'Oublie ça, écris-les en français.', true],
    ['不要写测试。', '算了，还是写测试吧，用 vitest。', true],
    ['每个函数不要超过四十行。', '忘掉四十行的限制。', false],
    ['始终用英文回答。', '从现在开始用中文回答。', true],
  ])('%s ← %s', (rule, later, isRule) => {
    const [old, ...more] = rulesOf(rule, later)
    expect(old).toMatchObject({ text: rule, retractedBy: 2, later: [{ text: later }] })
    expect(more.map(({ text }) => text)).toEqual(isRule ? [later] : [])
  })

  test.each([
    ['Never push to main.', 'Actually, push it to the fork.'],
    ['Never delete tests.', 'Actually, write tests for the parser.'],
    ['Never commit secrets.', 'Actually, commit it now.'],
    ['Do not run migrations.', 'On second thought, run it again.'],
    ['Do not touch config/prod.ts.', 'Actually, touch it up a bit.'],
    ['Never push. Fix the parser.', 'Scratch that, use pnpm.'],
    ['Keep every function under thirty lines.', 'Forget about the failing test, it is flaky.'],
    ['Always run the tests.', 'Forget the tests, fix the parser.'],
    ['Écris tous les messages de commit en anglais.', 'Désormais, réponds en français.'],
    ['始终用英文回答。', '构建其实已经通过了。'],
  ])('%s stays after %s', (rule, later) => {
    expect(rulesOf(rule, later)[0]?.retractedBy).toBeUndefined()
  })

  test.each([
    'Read a few more, to be sure.',
    'Run it again, to be sure.',
    'Look at the lexer first, then tell me.',
  ])('%s is for one step', (order) => {
    expect(rulesOf(order)).toEqual([])
  })

  test.each([
    'Tests first, then code.',
    'Docs first, then the code.',
    'Erst die Tests, dann der Code.',
    "D'abord les tests, puis le code.",
    'Primero las pruebas, luego el código.',
  ])('%s says in which order to work, for good', (rule) => {
    expect(rulesOf(rule).map(({ text }) => text)).toEqual([rule])
  })

  test('“scratch that” is about the rule that the same message has just stated', () => {
    expect(rulesOf('Never push.', 'Always squash. No, scratch that.')).toEqual([
      { text: 'Never push.', seq: 1 },
      {
        text: 'Always squash.',
        seq: 2,
        retractedBy: 2,
        later: [{ text: 'No, scratch that.', seq: 2 }],
      },
    ])
    expect(rulesOf('Never push.', 'Scratch that, look at the lexer first.')).toEqual([
      { text: 'Never push.', seq: 1 },
    ])
  })

  test.each([
    ['Never push to main.', 'From now on push to the branch dev after each step.'],
    ['Always run the linter before committing.', 'From now on run the tests before committing.'],
    ['Use pnpm, not npm.', 'Always use small functions.'],
    ['Do not commit anything.', 'I changed my mind about the names.'],
    ['Never push.', 'From now on, always ask me before you push.'],
  ])('%s stays beside %s', (rule, other) => {
    expect(rulesOf(rule, other)[0]).toEqual({ text: rule, seq: 1 })
  })
})

test('of two rules the one that is meant is taken back, and it can be made again', () => {
  const rules = rulesOf(
    'never push to main',
    'never delete the database',
    'you can push to main now',
    'never push to main',
  )
  expect(rules).toEqual([
    expect.objectContaining({ text: 'never push to main', seq: 1, retractedBy: 3 }),
    { text: 'never delete the database', seq: 2 },
    { text: 'never push to main', seq: 4 },
  ])
})

test('no message makes it throw, and every rule stands in its message', () => {
  const words = fc.constantFrom(
    'never',
    'always',
    'push',
    "don't",
    'use',
    'không',
    'đừng',
    '不要',
    '必ず',
    '하지 마',
    'никогда',
    'nunca',
    'nicht',
    '.',
    '!',
    '\n',
    '- ',
    '"',
    '```',
    '> ',
    'you can',
    'forget the rule',
    ' ',
  )
  const message = fc.oneof(
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 4 }), (messages) => {
      for (const { text, seq } of rulesOf(...messages)) expect(messages[seq - 1]).toContain(text)
    }),
  )
})

test.each([
  'a',
  'never ',
  'you can ',
  '. ',
  '不要',
  '- ',
  '<file name="',
  '"',
  'không ',
  'е',
  '! ',
])('the work grows with the length: %j', async (piece) => {
  const rulesIn = (times: number) => (): unknown =>
    rulesOf('never push to main', piece.repeat(times))
  await expectLinear(rulesIn, { small: 4_000, large: 32_000 })
})

describe('what a client wraps whole is still what the human said', () => {
  test('the arguments of a slash command are the request, and state rules', () => {
    const text =
      '<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the </command-args> parser. Never push to main.</command-args>'
    expect(humanWords([text])).toBe('the </command-args> parser. Never push to main.')
    expect(rulesOf(text).map((rule) => rule.text)).toEqual(['Never push to main.'])
  })

  test.each([
    ['"Fix the parser. Never push to main."'],
    ["'Fix the parser. Never push to main.'\n"],
    ['"Fix the \\"parser\\". Never push to main."'],
  ])('%s states its rule', (text) => {
    expect(rulesOf(text).map((rule) => rule.text)).toEqual(['Never push to main.'])
  })

  test('two quotations in one message are still quotations', () => {
    expect(rulesOf('"Never push" is what "they said"')).toEqual([])
  })
})
