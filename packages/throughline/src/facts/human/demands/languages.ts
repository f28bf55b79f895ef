/**
 * A few words of a language by which people make demands that last: enough to rank a sentence, not to
 * understand it. Lower case, without marks for stress where people leave them out.
 */
export interface DemandWords {
  language: string
  /** Whatever is asked so is asked for good: never, always, forbidden, from now on. */
  lasting: readonly string[]
  /** Common words by which the language is told from others that have the same words. */
  common: readonly string[]
  /** How it forbids. */
  bans: Ban
  /** Beginnings of verbs in which one asks for a manner, not for a step: keep, use, avoid, answer. */
  keeps: readonly string[]
  /** All, each. */
  all: readonly string[]
  /** Must, should. */
  musts: readonly string[]
  only: readonly string[]
  /** Beginnings of the verbs “write” and “answer”, and the languages to do it in. */
  writes: readonly string[]
  tongues: readonly string[]
  /** A sentence that begins so tells of something, and asks for nothing. */
  subjects: readonly string[]
  /** Something becomes allowed; with a dash, the end of a verb. */
  allows: readonly string[]
  /** Beginnings of “forget” and “ignore” … */
  forgets: readonly string[]
  /** … and of what is to be forgotten: the rule, what I said. */
  saidWords: readonly string[]
  /** Words that stand together, in any order, where something is no longer needed. */
  relieves: readonly string[]
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

/** The words of a list. */
export const words = (text: string): readonly string[] => text.split(' ')

// Words that stand for several, such as “only”, are left out: they say more often how things are.
export const languages: readonly DemandWords[] = [
  {
    language: 'fr',
    bans: { words: words('ne n'), tells: words('marche fonctionne passe compile est sont peut') },
    keeps: words(
      'garde conserv utilis évit préfèr préfér répond respect assur veill souvien rappel',
    ),
    all: words('tous toutes tout toute chaque'),
    musts: words('doit doivent dois devez faut'),
    only: words('seulement uniquement'),
    writes: words('écri répond parle rédige comment'),
    tongues: words('français anglais'),
    lasting: words('jamais toujours désormais dorénavant interdit interdite obligatoire'),
    common: words(
      'vous-même toi-même finalement maintenant aussi ne pas vous tu le la les un une des du et à de en dans sur pour que avec sans moi',
    ),
    subjects: words('il elle ça cela ce c je j nous on ils elles pourquoi comment est'),
    allows: words('peux pouvez autorisé permis'),
    forgets: words('oubli ignor annul'),
    saidWords: words('règle consigne interdiction dit demandé'),
    relieves: ['plus besoin', 'plus nécessaire', 'plus obligé'],
  },
  {
    language: 'it',
    bans: { words: words('non'), ends: words('are ere ire ate ete ite arlo arla') },
    keeps: words('mantien conserva usa utilizz evita preferi rispond rispetta assicura ricord'),
    all: words('tutti tutte tutto ogni'),
    musts: words('deve devono devi dovete bisogna'),
    only: words('solo soltanto solamente'),
    writes: words('scriv rispond parl comment'),
    tongues: words('italiano inglese'),
    lasting: words('mai sempre vietato obbligatorio poi'),
    common: words(
      'adesso anche non il lo la gli le un una di del e a in per che con senza mio mia usa ora',
    ),
    subjects: words('io lui lei questo quello è ho hai abbiamo perché come'),
    allows: words('puoi potete permesso'),
    forgets: words('dimentic ignor annull'),
    saidWords: words('regol divieto detto'),
    relieves: ['non più bisogno', 'non serve più', 'non più necessario'],
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
    keeps: words('mantenh mantém use usa utiliz evit prefir respond respeit lembr certifi garant'),
    all: words('todos todas tudo cada'),
    musts: words('deve devem precisa precisam tem têm'),
    only: words('só somente apenas'),
    writes: words('escrev respond fal coment'),
    tongues: words('português inglês'),
    lasting: words('nunca jamais sempre proibido obrigatório'),
    common: words(
      'agora também não o os as um uma de do da e em para que com sem meu minha por faça',
    ),
    subjects: words('eu ele ela isso isto é foi por'),
    allows: words('pode podes podem'),
    forgets: words('esque ignor cancel'),
    saidWords: words('regra restrição disse'),
    relieves: ['não precisa mais', 'não mais necessário'],
  },
  {
    language: 'nl',
    bans: { later: words('niet geen nooit'), states: words('t en de ten den') },
    keeps: words('houd hou gebruik vermijd bewaar respecteer zorg onthoud behoud'),
    all: words('alle alles elke elk iedere ieder'),
    musts: words('moet moeten mag mogen'),
    only: words('alleen enkel'),
    writes: words('schrijf antwoord praat'),
    tongues: words('nederlands engels'),
    lasting: words('nooit altijd voortaan verboden alleen uitsluitend'),
    common: words(
      'toch ook wel nu de het een en van in op met niet geen zonder mij je dat voor naar gebruik',
    ),
    subjects: words('ik hij zij het dit dat er we wij waarom hoe'),
    allows: words('mag kunt'),
    forgets: words('vergeet negeer schrap'),
    saidWords: words('regel verbod zei gezegd'),
    relieves: ['hoeft niet meer', 'hoef niet meer', 'niet meer nodig'],
  },
  {
    language: 'sv',
    bans: { later: words('inte ingen inga aldrig'), states: words('ar er s de te') },
    keeps: words('behåll använd undvik respektera föredra håll kom'),
    all: words('alla allt varje'),
    musts: words('ska måste får bör'),
    only: words('bara endast'),
    writes: words('skriv svara prata'),
    tongues: words('svenska engelska'),
    lasting: words('aldrig alltid förbjudet hädanefter'),
    common: words('nu också inte en ett och på i av med utan mig du det för till som'),
    subjects: words('jag han hon det den detta vi varför hur'),
    allows: words('får kan'),
    forgets: words('glöm ignorera stryk'),
    saidWords: words('regel förbud sa'),
    relieves: ['behöver inte längre', 'inte längre nödvändigt'],
  },
  {
    language: 'no',
    bans: { later: words('ikke ingen aldri'), states: words('er r s de te') },
    keeps: words('behold bruk unngå undgå respekter husk hold foretrekk'),
    all: words('alle alt hver hvert'),
    musts: words('skal må bør'),
    only: words('bare kun'),
    writes: words('skriv svar snakk'),
    tongues: words('norsk dansk engelsk'),
    lasting: words('aldri aldrig alltid altid forbudt heretter'),
    common: words('nå nu også ikke en et og på i av med uten uden meg mig du det for til som'),
    subjects: words('jeg han hun det den dette vi hvorfor'),
    allows: words('kan'),
    forgets: words('glem ignorer dropp'),
    saidWords: words('regel forbud sa'),
    relieves: ['trenger ikke lenger', 'ikke lenger nødvendig'],
  },
  {
    language: 'fi',
    bans: { words: words('älä älkää') },
    keeps: words('pidä käytä vältä muista säilytä noudata'),
    all: words('kaikki kaikkien jokainen jokaisen'),
    musts: words('pitää täytyy tulee on'),
    only: words('vain ainoastaan'),
    writes: words('kirjoita vastaa puhu'),
    tongues: words('suomeksi englanniksi'),
    lasting: words('koskaan aina kielletty jatkossa'),
    common: words('nyt myös ja on älä ei että kun se tai mutta minun alle ilman'),
    subjects: words('minä hän se tämä me miksi miten'),
    allows: words('voit saat'),
    forgets: words('unohda'),
    saidWords: words('sään sanoin kiel'),
    relieves: ['ei tarvitse enää'],
  },
  {
    language: 'pl',
    bans: {
      words: words('nie'),
      ends: words('j jcie b bcie sz ń ńcie ź zcie dź'),
      tells: words('możesz musisz wiesz masz chcesz widzisz'),
    },
    keeps: words(
      'zachowaj zachowuj używaj użyj unikaj pamiętaj trzymaj stosuj upewni przestrzegaj',
    ),
    all: words('wszystkie wszystko każdy każda każde'),
    musts: words('musi muszą ma mają powinny powinien powinna'),
    only: words('tylko wyłącznie jedynie'),
    writes: words('pisz odpowiadaj mów komentuj'),
    tongues: words('polsku angielsku'),
    lasting: words('nigdy zawsze zabronione odtąd wyłącznie'),
    common: words('teraz też już nie i w na z do bez po mnie się to jest'),
    subjects: words('ja on ona to ten my dlaczego'),
    allows: words('możesz możecie wolno'),
    forgets: words('zapomnij ignoruj odwołuj'),
    saidWords: words('zasad reguł zakaz mówiłem mówiłam powiedziałem'),
    relieves: ['nie musisz już', 'nie trzeba już'],
  },
  {
    language: 'cs',
    bans: {
      prefix: 'ne',
      ends: words('ej ejte uj ujte ěj ej te řaž mazej'),
      tells: words('nevíte nemáte nejde nemůžete nechcete'),
    },
    keeps: words('zachov ponech používej použij vyhýbej pamatuj dodržuj drž ujisti'),
    all: words('všechny všechno všechna každý každá každé'),
    musts: words('musí mají má musíš'),
    only: words('jen pouze jenom'),
    writes: words('piš odpovídej mluv'),
    tongues: words('česky češtině anglicky angličtině'),
    lasting: words('nikdy vždy vždycky zakázáno odteď všechny'),
    common: words('teď také už ne a v na z do bez mě se je piš ve'),
    subjects: words('já on ona to ten my proč'),
    allows: words('můžeš můžete smíš'),
    forgets: words('zapomeň ignoruj ruším'),
    saidWords: words('pravidl zákaz říkal řekl'),
    relieves: ['už nemusíš', 'už třeba'],
  },
  {
    language: 'ro',
    bans: {
      words: words('nu'),
      ends: words('a i ți'),
      tells: words('ai pot poți știi vrei mai va ți îți asta funcționa'),
    },
    keeps: words('păstr folose utiliz evit respect asigur ține'),
    all: words('toate toți tot fiecare orice'),
    musts: words('trebuie'),
    only: words('doar numai'),
    writes: words('scrie răspund vorbe'),
    tongues: words('română engleză românește'),
    lasting: words('niciodată întotdeauna mereu interzis'),
    common: words('acum și nu un o și de la în cu fără pentru pe să'),
    subjects: words('eu el ea asta acesta noi este de'),
    allows: words('poți puteți'),
    forgets: words('uită ignoră anul'),
    saidWords: words('regul restricți spus'),
    relieves: ['nu mai trebuie', 'nu mai nevoie'],
  },
  {
    language: 'hu',
    bans: { words: words('ne') },
    keeps: words('tartsd használ kerüld ügyelj őrizd'),
    all: words('minden összes mindegyik'),
    musts: words('kell legyen'),
    only: words('csak kizárólag'),
    writes: words('írj válaszolj beszélj'),
    tongues: words('magyarul angolul'),
    lasting: words('soha mindig tilos mostantól'),
    common: words('most is már ne a az és egy nem hogy meg'),
    subjects: words('én ő ez az mi miért'),
    allows: words('lehet szabad -hatod -heted -hatsz -hetsz'),
    forgets: words('felejtsd hagyd'),
    saidWords: words('szabály mondtam'),
    relieves: ['már nem kell', 'többé nem kell'],
  },
  {
    language: 'tr',
    bans: { last: words('mayın meyin mayınız meyiniz') },
    keeps: [],
    all: words('tüm bütün her'),
    musts: words('olmalı olsun gerek zorunda yapılmalı'),
    only: words('sadece yalnızca'),
    writes: words('türkçe'),
    tongues: words('yaz cevapla yanıtla konuş'),
    lasting: words('asla daima yasak zaman sadece yalnızca'),
    common: words('artık şimdi ve bir bana ver bu da de için ile her hiçbir olarak cevap'),
    subjects: words('ben o bu biz neden nasıl'),
    allows: words('olur -bilirsin -bilirsiniz'),
    forgets: words('unut'),
    saidWords: words('kural söyledi'),
    relieves: ['artık gerek', 'artık zorunda'],
  },
  {
    language: 'id',
    bans: { words: words('jangan') },
    keeps: words('gunakan pakai pertahankan hindari ingat pastikan jaga'),
    all: words('semua setiap seluruh'),
    musts: words('harus wajib perlu'),
    only: words('hanya cuma'),
    writes: words('tulis jawab balas'),
    tongues: words('indonesia inggris'),
    lasting: words('jangan selalu dilarang seterusnya'),
    common: words('sekarang juga dan di ke yang dalam untuk dengan tanpa saya ini'),
    subjects: words('saya dia ini itu kami mengapa kenapa'),
    allows: words('boleh bisa'),
    forgets: words('lupakan abaikan batalkan'),
    saidWords: words('aturan larangan katakan'),
    relieves: ['tidak perlu lagi'],
  },
  {
    language: 'uk',
    bans: {
      words: words('не'),
      states: words('ає яє ує є ить ють ять ав ала ало али'),
      ends: words('й йте и іть ь ьте'),
    },
    keeps: words(
      'зберігай залиш використовуй уникай памʼятай пам дотримуй тримай переконай користуй',
    ),
    all: words('всі усі все кожен кожна кожне'),
    musts: words('має мають повинні повинен повинна треба'),
    only: words('лише тільки виключно'),
    writes: words('пиши відповідай говори'),
    tongues: words('українською англійською'),
    lasting: words('ніколи завжди заборонено відтепер'),
    common: words('тепер вже теж не і й на в у з до без що та для'),
    subjects: words('я він вона воно це ми чому'),
    allows: words('можна можеш можете'),
    forgets: words('забудь ігноруй скасов'),
    saidWords: words('правил заборон казав казала сказа'),
    relieves: ['більше не потрібно', 'більше не треба', 'вже не потрібно'],
  },
  {
    language: 'el',
    bans: { words: words('μην μη') },
    keeps: words('κράτ χρησιμοποί απόφυγ αποφύγ διατήρ προτίμ θυμήσου'),
    all: words('όλα όλες όλοι κάθε'),
    musts: words('πρέπει'),
    only: words('μόνο'),
    writes: words('γράφ γράψ απάντ'),
    tongues: words('ελληνικά αγγλικά'),
    lasting: words('ποτέ πάντα απαγορεύεται'),
    common: words('τώρα πια μην να το τη την τα σε και με χωρίς'),
    subjects: words('εγώ αυτό το η ο γιατί'),
    allows: words('μπορείς επιτρέπεται'),
    forgets: words('ξέχνα ξέχασ αγνόησ'),
    saidWords: words('κανόν απαγόρευσ είπα'),
    relieves: ['δεν χρειάζεται πια', 'δεν χρειάζεται πλέον'],
  },
  {
    language: 'ar',
    bans: { words: words('لا'), begins: 'ت' },
    keeps: words('استخدم استعمل احتفظ تجنب حافظ تذكر تأكد التزم'),
    all: words('كل جميع'),
    musts: words('يجب ينبغي'),
    only: words('فقط'),
    writes: words('اكتب أجب رد تحدث'),
    tongues: words('بالعربية العربية بالإنجليزية الإنجليزية'),
    lasting: words('أبدا أبدًا أبداً دائما دائمًا دائماً ممنوع فصاعدا فصاعدًا'),
    common: words('لا من في على إلى أي كل بدون الآن'),
    subjects: words('أنا هو هي هذا لماذا كيف'),
    allows: words('يمكنك مسموح'),
    forgets: words('انس تجاهل'),
    saidWords: words('قاعدة القاعدة قلت'),
    relieves: ['لا داعي', 'لم تعد بحاجة'],
  },
  {
    language: 'he',
    bans: { words: words('אל') },
    keeps: words('השתמש שמור הימנע זכור הקפד העדף'),
    all: words('כל'),
    musts: words('חייב חייבים צריך צריכים'),
    only: words('רק'),
    writes: words('כתוב ענה דבר'),
    tongues: words('בעברית עברית באנגלית אנגלית'),
    lasting: words('לעולם תמיד אסור מעכשיו'),
    common: words('עכשיו גם אל לא את של על עם בלי בלא'),
    subjects: words('אני הוא היא זה למה איך'),
    allows: words('מותר אפשר'),
    forgets: words('שכח תשכח התעלם'),
    saidWords: words('הכלל כלל אמרתי'),
    relieves: ['אין צורך יותר', 'לא צריך יותר'],
  },
  {
    language: 'hi',
    bans: { last: words('मत') },
    keeps: [],
    all: words('सभी हर सब'),
    musts: words('चाहिए'),
    only: words('केवल सिर्फ'),
    writes: words('हिंदी हिन्दी अंग्रेज़ी'),
    tongues: words('लिखो लिखें दो दें'),
    lasting: words('हमेशा कभी मत सदा'),
    common: words('अब भी को के की में से बिना और मेरी मेरे लिखो'),
    subjects: words('मैं वह यह हम क्यों कैसे'),
    allows: words('सकते सकती'),
    forgets: words('भूल'),
    saidWords: words('नियम कहा'),
    relieves: ['ज़रूरत नहीं', 'जरूरत नहीं'],
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
    keeps: words('behalt behalte verwend benutz nutz vermeid bevorzug beacht acht halt'),
    all: words('alle alles jede jeder jedes sämtliche'),
    musts: words('muss müssen soll sollen darf dürfen'),
    only: words('nur ausschließlich'),
    writes: words('schreib antwort kommentier alle'),
    tongues: words('deutsch englisch'),
    lasting: words('niemals nie immer stets verboten grundsätzlich künftig ausschließlich'),
    common: words(
      'einen einem einer für zu nur doch auch wieder der die das und nicht ein eine den dem mit auf im ist bitte statt bevor nach vor bei ab jetzt',
    ),
    subjects: words('ich er sie es wir das man hier warum wieso wie da die der'),
    allows: words('darfst dürft kannst könnt erlaubt'),
    forgets: words('vergiss ignorier streich verwirf'),
    saidWords: words('regel vorgabe einschränkung gesagt anweisung verbot'),
    relieves: [
      'nicht mehr nötig',
      'nicht mehr notwendig',
      'musst nicht mehr',
      'brauchst nicht mehr',
    ],
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
    keeps: words('mantén mantene conserv usa utiliz evit respet asegúr asegur recuerd'),
    all: words('todos todas todo cada'),
    musts: words('debe deben tiene tienen hay'),
    only: words('solo sólo solamente únicamente'),
    writes: words('escrib respond contest habla coment'),
    tongues: words('español castellano inglés'),
    lasting: words('nunca siempre jamás prohibido'),
    common: words(
      'hagas haga hacer haz ahora ya también el la los las un una de del a y en vez lugar antes que con sin por para no lo',
    ),
    subjects: words('yo él ella esto eso es fue por qué cómo'),
    allows: words('puedes pueden permitido'),
    forgets: words('olvida ignora cancela quita anula retir'),
    saidWords: words('regla restricción dije norma instruc'),
    relieves: ['ya no hace falta', 'ya no es necesario', 'ya no tienes', 'ya no necesitas'],
  },
  {
    language: 'ru',
    bans: {
      words: words('не'),
      states: words('ает яет ует ет ит ют ут ат ят ал ала ало али ил или'),
      ends: words('й йте и ите ь ьте'),
    },
    keeps: words(
      'сохраняй оставь оставляй используй избегай помни соблюдай придерживай держи убедись пользуйся',
    ),
    all: words('все каждый каждая каждое'),
    musts: words('должны должен должна должно надо нужно'),
    only: words('только лишь исключительно'),
    writes: words('пиши отвечай говори'),
    tongues: words('русском русски английском английски'),
    lasting: words('никогда всегда обязательно нельзя запрещено отныне впредь'),
    common: words('теперь уже тоже не и в на с без у я мне для по что это а перед после'),
    subjects: words('я он она оно это мы они почему как вы'),
    allows: words('можно можешь можете разрешаю'),
    forgets: words('забудь игнорируй отмен снима'),
    saidWords: words('правил ограничен запрет говорил сказал требован'),
    relieves: ['больше не нужно', 'больше не надо', 'больше не обязательно', 'теперь не нужно'],
  },
]
