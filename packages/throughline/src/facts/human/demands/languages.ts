/**
 * A few words of a language by which people make demands that last: enough to rank a sentence, not to
 * understand it. Lower case, without marks for stress where people leave them out.
 */
export interface DemandWords {
  language: string
  /** Whatever is asked so is asked for good: never, always, forbidden, from now on. */
  lasting: readonly string[]
  /** Common words that tell the language from others with the same demand words. */
  common: readonly string[]
  /** How it forbids. */
  bans: Ban
  only: readonly string[]
  /** A sentence that begins so tells of something, and asks for nothing. */
  subjects: readonly string[]
  /** Something becomes allowed; with a dash, the end of a verb. */
  allows: readonly string[]
}

/** What tells a demand not to do something from a statement that something is not so. */
export interface Ban {
  /** It begins with one of these words … */
  words?: readonly string[]
  /** … or its verb begins with this, … */
  prefix?: string
  /** … or one of these follows a verb that does not end as statements do. */
  later?: readonly string[]
  /** … or it ends with one of these. */
  last?: readonly string[]
  states?: readonly string[]
  /** The verb's endings. */
  ends?: readonly string[]
  begins?: string
  /** Verbs with such an ending that only state something. */
  tells?: readonly string[]
}

export const words = (text: string): readonly string[] => text.split(' ')

// What follows holds in all languages at once: a sentence is known to be in one of them by then.

/** Beginnings of verbs in which one asks for a manner, not for a step: keep, use, avoid, answer. */
export const keeps = words(
  'gard conserv utilis évit préfèr préfér répond respect assur veill souvien rappel mantien usa utilizz evita preferi rispond rispetta assicura ricord mantenh mantém use utiliz prefir lembr certifi garant houd hou gebruik vermijd bewaar zorg onthoud behoud behåll använd undvik föredra håll kom behold bruk unngå undgå husk hold foretrekk pidä käytä vältä muista säilytä noudata zachowaj zachowuj używaj użyj unikaj pamiętaj trzymaj stosuj upewni przestrzegaj zachov ponech používej použij vyhýbej pamatuj dodržuj drž ujisti păstr folose asigur ține tartsd használ kerüld ügyelj őrizd gunakan pakai pertahankan hindari ingat pastikan jaga зберігай залиш використовуй уникай пам дотримуй тримай переконай користуй κράτ χρησιμοποί απόφυγ αποφύγ διατήρ προτίμ θυμήσου استخدم استعمل احتفظ تجنب حافظ تذكر تأكد التزم השתמש שמור הימנע זכור הקפד העדף behalt verwend benutz nutz vermeid bevorzug beacht acht halt mantén mantene respet asegúr recuerd сохраняй оставь оставляй используй избегай помни соблюдай придерживай держи убедись пользуйся',
)

/** Beginnings of “write” and “answer”; some languages begin with the one to write in. */
export const writes = words(
  'écri répond parle rédige comment scriv rispond parl escrev respond fala fale coment schrijf antwoord praat skriv svara prata svar snakk kirjoita vastaa puhu pisz odpowiadaj mów komentuj piš odpovídej mluv scrie răspund vorbe írj válaszolj beszélj türkçe tulis jawab balas пиши відповідай говори γράφ γράψ απάντ اكتب أجب رد تحدث כתוב ענה דבר हिंदी हिन्दी अंग्रेज़ी schreib antwort kommentier alle escrib contest habla отвечай tous toda todo tutt',
)

/** The languages to answer in; where verbs come last, those verbs. */
export const tongues = words(
  'français anglais italiano inglese português inglês nederlands engels svenska engelska norsk dansk engelsk suomeksi englanniksi polsku angielsku česky češtině anglicky angličtině română engleză românește magyarul angolul yaz cevapla yanıtla konuş indonesia inggris українською англійською ελληνικά αγγλικά بالعربية العربية بالإنجليزية الإنجليزية בעברית עברית באנגלית אנגלית लिखो लिखें दो दें deutsch englisch español castellano inglés русском русски английском английски',
)

/** Beginnings of “forget” and “take back” … */
export const forgets = words(
  'forget disregard scratch scrap strike undo oubli ignor annul retire dimentic esque cancel ritir vergeet negeer schrap glöm stryk glem dropp unohda zapomnij odwołuj zapomeň ruším uită anul retrag felejtsd hagyd unut geri lupakan abaikan batalkan забудь ігноруй скасов ξέχνα ξέχασ αγνόησ انس تجاهل שכח תשכח התעלם भूल vergiss streich verwirf olvida quita retir игнорируй отмен снима',
)
/** … and of what is to be forgotten: the rule, what I said. */
export const saidWords = words(
  'règle consigne interdiction dit demandé regol divieto detto regra restrição disse regel verbod zei gezegd förbud sa forbud sään sanoin kiel zasad reguł zakaz mówiłem mówiłam powiedziałem pravidl zákaz říkal řekl regul restricți spus szabály mondtam kural söyledi aturan larangan katakan правил заборон казав казала сказа κανόν απαγόρευσ είπα قاعدة القاعدة قلت הכלל כלל אמרתי नियम कहा vorgabe einschränkung gesagt anweisung verbot restricción dije norma instruc ограничен запрет говорил сказал требован',
)

/** That a rule holds. */
export const holds = words(
  'gilt gelten applies apply vaut vale valen aplica aplican valgono geldt gelden gäller gælder gjelder päde obowiązuje obowiązują platí действует действуют діє діють ισχύει berlaku geçerli',
)
/** What was just said, as one points at it. */
export const pointing = words(
  'that this it das dies es ça cela eso esto lo isso isto questo quello lascia dat det detta sitä to tamto asta azt ezt bunu onu itu ini это то це те αυτό ذلك هذا זה यह',
)

/** “No longer”, with a word that denies or right beside what is needed … */
export const noMore = words(
  'plus più mais meer længere mere længre längre lenger mer enää już už mai már többé artık lagi більше вже πια πλέον تعد يعد داعي יותר अब mehr ya больше теперь',
)
/** … and what is no longer needed. */
export const needed = words(
  'besoin nécessaire obligé obligée bisogno serve necessario necessaria precisa precisas hoeft hoef nodig moet moeten behöver behövs nödvändigt trenger nødvendig behøver tarvitse musisz musicie trzeba muset nemusíš nemusíte třeba trebuie nevoie kell gerek gerekmiyor zorunda perlu потрібно треба обовʼязково χρειάζεται بحاجة الضروري داعي צורך צריך ज़रूरत जरूरत ज़रूरी जरूरी nötig notwendig musst müssen brauchst brauchen falta necesario tienes necesitas нужно надо обязательно',
)

// Words with several meanings, such as “only”, are left out: they more often describe than demand.
export const languages: readonly DemandWords[] = [
  {
    language: 'fr',
    bans: { words: words('ne n'), tells: words('marche fonctionne passe compile est sont peut') },
    only: words('seulement uniquement'),
    lasting: words('jamais toujours désormais dorénavant interdit interdite obligatoire'),
    common: words(
      'n aucun aucune vous-même toi-même finalement maintenant aussi ne pas vous tu le la les un une des du et à de en dans sur pour que avec sans moi',
    ),
    subjects: words('il elle ça cela ce c je j nous on ils elles pourquoi comment est'),
    allows: words('peux pouvez autorisé permis'),
  },
  {
    language: 'it',
    bans: {
      words: words('non'),
      ends: words('are ere ire ate ete ite arlo arla'),
      tells: words('ho ha hai abbiamo hanno'),
    },
    only: words('solo soltanto solamente'),
    lasting: words('mai sempre vietato obbligatorio'),
    common: words(
      'adesso anche non il lo la gli le un una di del e a in per che con senza mio mia usa ora',
    ),
    subjects: words('io lui lei questo quello è ho hai abbiamo perché come'),
    allows: words('puoi potete permesso'),
  },
  {
    language: 'pt',
    bans: {
      words: words('não'),
      ends: words('e es em a as am'),
      tells: words(
        'existe pode deve parece sabe consegue funciona precisa era há faz esse essa este esta me se é fica dava passa roda compila carrega entende muda ajuda',
      ),
    },
    only: words('só somente apenas'),
    lasting: words('nunca jamais sempre proibido obrigatório'),
    common: words(
      'agora também não o os as um uma de do da e em para que com sem meu minha por faça',
    ),
    subjects: words('eu ele ela isso isto é foi por'),
    allows: words('pode podes podem'),
  },
  {
    language: 'nl',
    bans: { later: words('niet geen nooit'), states: words('t en de ten den') },
    only: words('alleen enkel'),
    lasting: words('nooit altijd voortaan verboden alleen uitsluitend'),
    common: words(
      'toch ook wel nu de het een en van in op met niet geen zonder mij je dat voor naar gebruik',
    ),
    subjects: words('ik hij zij het dit dat er we wij waarom hoe'),
    allows: words('mag kunt'),
  },
  {
    language: 'sv',
    bans: { later: words('inte ingen inga aldrig'), states: words('ar er s de te') },
    only: words('bara endast'),
    lasting: words('aldrig alltid förbjudet hädanefter'),
    common: words('nu också inte en ett och på i av med utan mig du det för till som'),
    subjects: words('jag han hon det den detta vi varför hur'),
    allows: words('får kan'),
  },
  {
    language: 'no',
    bans: { later: words('ikke ingen aldri'), states: words('er r s de te') },
    only: words('bare kun'),
    lasting: words('aldri aldrig alltid altid forbudt heretter'),
    common: words('nå nu også ikke en et og på i av med uten uden meg mig du det for til som'),
    subjects: words('jeg han hun det den dette vi hvorfor'),
    allows: words('kan'),
  },
  {
    language: 'fi',
    bans: { words: words('älä älkää') },
    only: words('vain ainoastaan'),
    lasting: words('koskaan aina kielletty jatkossa'),
    common: words('nyt myös ja on älä ei että kun se tai mutta minun alle ilman'),
    subjects: words('minä hän se tämä me miksi miten'),
    allows: words('voit saat'),
  },
  {
    language: 'pl',
    bans: {
      words: words('nie'),
      states: words('łem łam ła ło li ły'),
      ends: words('j jcie b bcie sz ń ńcie ź zcie dź'),
      tells: words('możesz musisz wiesz masz chcesz widzisz'),
    },
    only: words('tylko wyłącznie jedynie'),
    lasting: words('nigdy zawsze zabronione odtąd wyłącznie'),
    common: words('teraz też już nie i w na z do bez po mnie się to jest'),
    subjects: words('ja on ona to ten my dlaczego'),
    allows: words('możesz możecie wolno'),
  },
  {
    language: 'cs',
    bans: {
      prefix: 'ne',
      ends: words('ej ejte uj ujte ěj ej te řaž mazej'),
      tells: words('nevíte nemáte nejde nemůžete nechcete'),
    },
    only: words('jen pouze jenom'),
    lasting: words('nikdy vždy vždycky zakázáno odteď všechny'),
    common: words('teď také už ne a v na z do bez mě se je piš ve'),
    subjects: words('já on ona to ten my proč'),
    allows: words('můžeš můžete smíš'),
  },
  {
    language: 'ro',
    bans: {
      words: words('nu'),
      ends: words('a i ți'),
      tells: words('ai pot poți știi vrei mai va ți îți asta funcționa'),
    },
    only: words('doar numai'),
    lasting: words('niciodată întotdeauna mereu interzis'),
    common: words('acum și nu un o și de la în cu fără pentru pe să'),
    subjects: words('eu el ea asta acesta noi este de'),
    allows: words('poți puteți'),
  },
  {
    language: 'hu',
    bans: { words: words('ne') },
    only: words('csak kizárólag'),
    lasting: words('soha mindig tilos mostantól'),
    common: words('most is már ne a az és egy nem hogy meg'),
    subjects: words('én ő ez az mi miért'),
    allows: words('lehet szabad -hatod -heted -hatsz -hetsz'),
  },
  {
    language: 'tr',
    bans: { last: words('mayın meyin mayınız meyiniz') },
    only: words('sadece yalnızca'),
    lasting: words('asla daima yasak zaman sadece yalnızca'),
    common: words('artık şimdi ve bir bana ver bu da de için ile her hiçbir olarak cevap'),
    subjects: words('ben o bu biz neden nasıl'),
    allows: words('olur -bilirsin -bilirsiniz'),
  },
  {
    language: 'id',
    bans: { words: words('jangan') },
    only: words('hanya cuma'),
    lasting: words('jangan selalu dilarang seterusnya'),
    common: words('sekarang juga dan di ke yang dalam untuk dengan tanpa saya ini'),
    subjects: words('saya dia ini itu kami mengapa kenapa'),
    allows: words('boleh bisa'),
  },
  {
    language: 'uk',
    bans: {
      words: words('не'),
      states: words('ає яє ує є ить ють ять ав ала ало али'),
      ends: words('й йте и іть ь ьте'),
    },
    only: words('лише тільки виключно'),
    lasting: words('ніколи завжди заборонено відтепер'),
    common: words('тепер вже теж не і й на в у з до без що та для'),
    subjects: words('я він вона воно це ми чому'),
    allows: words('можна можеш можете'),
  },
  {
    language: 'el',
    bans: { words: words('μην μη') },
    only: words('μόνο'),
    lasting: words('ποτέ πάντα απαγορεύεται'),
    common: words('τώρα πια μην να το τη την τα σε και με χωρίς'),
    subjects: words('εγώ αυτό το η ο γιατί'),
    allows: words('μπορείς επιτρέπεται'),
  },
  {
    language: 'ar',
    bans: { words: words('لا'), begins: 'ت' },
    only: words('فقط'),
    lasting: words('أبدا أبدًا أبداً دائما دائمًا دائماً ممنوع فصاعدا فصاعدًا'),
    common: words('لا من في على إلى أي كل بدون الآن'),
    subjects: words('أنا هو هي هذا لماذا كيف'),
    allows: words('يمكنك مسموح'),
  },
  {
    language: 'he',
    bans: { words: words('אל') },
    only: words('רק'),
    lasting: words('לעולם תמיד אסור מעכשיו'),
    common: words('עכשיו גם אל לא את של על עם בלי בלא'),
    subjects: words('אני הוא היא זה למה איך'),
    allows: words('מותר אפשר'),
  },
  {
    language: 'hi',
    bans: { last: words('मत') },
    only: words('केवल सिर्फ'),
    lasting: words('हमेशा कभी मत सदा'),
    common: words('अब भी को के की में से बिना और मेरी मेरे लिखो'),
    subjects: words('मैं वह यह हम क्यों कैसे'),
    allows: words('सकते सकती'),
  },
  {
    language: 'de',
    bans: {
      later: words('nicht nichts kein keine keinen nie niemals'),
      states: words('t en te ten st'),
      words: words('kein keine keinen keinerlei'),
      tells: words(
        'ahnung problem probleme sorge frage zeit lust idee noch wieder mehr fehler ist sind war waren wird werden',
      ),
    },
    only: words('nur ausschließlich'),
    lasting: words('niemals nie immer stets verboten grundsätzlich künftig ausschließlich'),
    common: words(
      'einen einem einer für zu nur doch auch wieder der die das und nicht ein eine den dem mit auf im ist bitte statt bevor nach vor bei ab jetzt',
    ),
    subjects: words('ich er sie es wir das man hier warum wieso wie da die der'),
    allows: words('darfst dürft kannst könnt erlaubt'),
  },
  {
    language: 'es',
    bans: {
      words: words('no'),
      ends: words('es as éis áis'),
      tells: words(
        'se falla fallan funciona funcionan pasa está me ha he había que puedes debes tienes es eres sabes quieres has vas más entiendes pues estas esas mas',
      ),
    },
    only: words('solo sólo solamente únicamente'),
    lasting: words('nunca siempre jamás prohibido'),
    common: words(
      'hagas haga hacer haz ahora ya también el la los las un una de del a y en vez lugar antes que con sin por para no lo',
    ),
    subjects: words('yo él ella esto eso es fue por qué cómo'),
    allows: words('puedes pueden permitido'),
  },
  {
    language: 'ru',
    bans: {
      words: words('не'),
      states: words('ает яет ует ет ит ют ут ат ят ал ала ало али ил или'),
      ends: words('й йте и ите ь ьте'),
    },
    only: words('только лишь исключительно'),
    lasting: words('никогда всегда обязательно нельзя запрещено отныне впредь'),
    common: words('теперь уже тоже не и в на с без у я мне для по что это а перед после'),
    subjects: words('я он она оно это мы они почему как вы'),
    allows: words('можно можешь можете разрешаю'),
  },
]
