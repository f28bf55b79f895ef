/**
 * A few words of a language by which people make demands that last: enough to rank a sentence, not to
 * understand it. Lower case, without marks for stress where people leave them out.
 */
interface DemandWords {
  language: string
  /** Whatever is asked so is asked for good: never, always, forbidden, from now on. */
  lasting: readonly string[]
  /** Common words by which the language is told from others that have the same words. */
  common: readonly string[]
  /** A sentence that begins so tells of something, and asks for nothing. */
  subjects: readonly string[]
  /** Something becomes allowed, or no longer needed. */
  allows: readonly string[]
}

const words = (text: string): readonly string[] => text.split(' ')

// Words that stand for several, such as “only”, are left out: they say more often how things are.
const languages: readonly DemandWords[] = [
  {
    language: 'fr',
    lasting: words('jamais toujours désormais dorénavant interdit interdite obligatoire'),
    common: words(
      'ne pas vous tu le la les un une des du et à de en dans sur pour que avec sans moi',
    ),
    subjects: words('il elle ça cela ce c je j nous on ils elles pourquoi comment est'),
    allows: words('peux pouvez autorisé permis finalement'),
  },
  {
    language: 'it',
    lasting: words('mai sempre vietato obbligatorio poi'),
    common: words('non il lo la gli le un una di del e a in per che con senza mio mia usa ora'),
    subjects: words('io lui lei questo quello è ho hai abbiamo perché come'),
    allows: words('puoi potete adesso permesso'),
  },
  {
    language: 'pt',
    lasting: words('nunca jamais sempre proibido obrigatório'),
    common: words('não o os as um uma de do da e em para que com sem meu minha por use faça'),
    subjects: words('eu ele ela isso isto é foi por'),
    allows: words('pode podes podem agora'),
  },
  {
    language: 'nl',
    lasting: words('nooit altijd voortaan verboden alleen uitsluitend'),
    common: words('de het een en van in op met niet geen zonder mij je dat voor naar gebruik'),
    subjects: words('ik hij zij het dit dat er we wij waarom hoe'),
    allows: words('mag kunt toch hoeft hoef'),
  },
  {
    language: 'sv',
    lasting: words('aldrig alltid förbjudet hädanefter'),
    common: words('inte en ett och på i av med utan mig du det för till som'),
    subjects: words('jag han hon det den detta vi varför hur'),
    allows: words('får kan nu'),
  },
  {
    language: 'no',
    lasting: words('aldri aldrig alltid altid forbudt heretter'),
    common: words('ikke en et og på i av med uten uden meg mig du det for til som'),
    subjects: words('jeg han hun det den dette vi hvorfor'),
    allows: words('kan må nå nu'),
  },
  {
    language: 'fi',
    lasting: words('koskaan aina kielletty jatkossa'),
    common: words('ja on älä ei että kun se tai mutta minun alle ilman'),
    subjects: words('minä hän se tämä me miksi miten'),
    allows: words('voit saat nyt'),
  },
  {
    language: 'pl',
    lasting: words('nigdy zawsze zabronione odtąd wyłącznie'),
    common: words('nie i w na z do bez po mnie się to jest'),
    subjects: words('ja on ona to ten my dlaczego'),
    allows: words('możesz możecie teraz wolno'),
  },
  {
    language: 'cs',
    lasting: words('nikdy vždy vždycky zakázáno odteď všechny'),
    common: words('ne a v na z do bez mě se je piš ve'),
    subjects: words('já on ona to ten my proč'),
    allows: words('můžeš můžete teď smíš'),
  },
  {
    language: 'ro',
    lasting: words('niciodată întotdeauna mereu interzis'),
    common: words('nu un o și de la în cu fără pentru pe să'),
    subjects: words('eu el ea asta acesta noi este de'),
    allows: words('poți puteți acum'),
  },
  {
    language: 'hu',
    lasting: words('soha mindig tilos mostantól'),
    common: words('ne a az és egy nem hogy meg'),
    subjects: words('én ő ez az mi miért'),
    allows: words('lehet most szabad'),
  },
  {
    language: 'tr',
    lasting: words('asla daima yasak zaman sadece yalnızca'),
    common: words('ve bir bana ver bu da de için ile her hiçbir olarak cevap'),
    subjects: words('ben o bu biz neden nasıl'),
    allows: words('artık olur'),
  },
  {
    language: 'id',
    lasting: words('jangan selalu dilarang seterusnya'),
    common: words('dan di ke yang dalam untuk dengan tanpa saya ini'),
    subjects: words('saya dia ini itu kami mengapa kenapa'),
    allows: words('boleh sekarang bisa'),
  },
  {
    language: 'uk',
    lasting: words('ніколи завжди заборонено відтепер'),
    common: words('не і й на в у з до без що та для'),
    subjects: words('я він вона воно це ми чому'),
    allows: words('можна можеш тепер вже'),
  },
  {
    language: 'el',
    lasting: words('ποτέ πάντα απαγορεύεται'),
    common: words('μην να το τη την τα σε και με χωρίς'),
    subjects: words('εγώ αυτό το η ο γιατί'),
    allows: words('μπορείς τώρα επιτρέπεται'),
  },
  {
    language: 'ar',
    lasting: words('أبدا أبدًا أبداً دائما دائمًا دائماً ممنوع فصاعدا فصاعدًا'),
    common: words('لا من في على إلى أي كل بدون الآن'),
    subjects: words('أنا هو هي هذا لماذا كيف'),
    allows: words('يمكنك مسموح'),
  },
  {
    language: 'he',
    lasting: words('לעולם תמיד אסור מעכשיו'),
    common: words('אל לא את של על עם בלי בלא'),
    subjects: words('אני הוא היא זה למה איך'),
    allows: words('מותר אפשר אתה'),
  },
  {
    language: 'hi',
    lasting: words('हमेशा कभी मत सदा'),
    common: words('को के की में से बिना और मेरी मेरे लिखो'),
    subjects: words('मैं वह यह हम क्यों कैसे'),
    allows: words('सकते सकती अब'),
  },
]

/** Scripts that put no blanks between words. */
const joined: readonly { language: string; lasting: RegExp }[] = [
  { language: 'th', lasting: /ห้าม|อย่า|เสมอ|ตลอดไป|ตั้งแต่นี้/ },
]

const longest = 300

interface Read {
  words: readonly string[]
  row: DemandWords
  /** How many of its common words stand in the sentence. */
  common: number
  /** It tells of something, and asks for nothing. */
  isTelling: boolean
}

/** The languages that a sentence may be in, of those that the table knows. */
function readIn(lower: string): Read[] {
  if (lower.length > longest) return []
  const found = lower.normalize('NFC').match(/[\p{L}\p{M}]+/gu) ?? []
  return languages.flatMap((row): Read[] => {
    const common = new Set(found.filter((word) => row.common.includes(word))).size
    const isTelling = row.subjects.includes(found[0] ?? '')
    return common > 0 || isTelling ? [{ words: found, row, common, isTelling }] : []
  })
}

// They mean something else in other languages: “mai” is a month, too.
const shared = new Set(['mai', 'poi', 'zaman', 'alleen'])

/** Whether a sentence asks for something that lasts, by its words alone. */
export function asksForGood(lower: string): boolean {
  if (joined.some(({ lasting }) => lower.length <= longest && lasting.test(lower))) return true
  return readIn(lower).some(({ words: found, row, common, isTelling }) => {
    if (isTelling) return false
    return found.some((word) => row.lasting.includes(word) && (common > 1 || !shared.has(word)))
  })
}

/** Whether a sentence may say that something is allowed now. */
export function mayAllow(lower: string): boolean {
  return readIn(lower).some(({ words: found, row }) =>
    found.some((word) => row.allows.includes(word)),
  )
}

const functionWords: ReadonlySet<string> = new Set(
  languages.flatMap(({ lasting, subjects, allows, common }) => [
    ...lasting,
    ...subjects,
    ...allows,
    ...common,
  ]),
)

/** Whether a word says nothing of what a sentence is about, in any of these languages. */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word)
}
