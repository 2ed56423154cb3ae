/**
 * The words that texts of a platform are shown in: those of payments, of HTTP and of the API document, in
 * English and Portuguese. No word here is a name of a person or of a place, or a number that is spelt out.
 */
const words = `
a abaixo about above accept access account aceito acesso acima acquirer acquiring across activate activation
active actual add additional address adicional adquirente advice after again agencia agency agora agência
ainda algum alguma all allow alone already also alterado alteração although always amount an analise analysis
and another answer antes any análise ao aos apenas api apple application approval approved aprovado após
aquisição are arquivo array as assinatura at atingido ativar ativo attempt attribute atual até ausente
autenticado autenticação auth authentication authorised authority authorization authorized autorizado
autorização available average bad bairro balance banco bancário bandeira bank base base64 basic be bearer
because been before begin being belong below between bin birth blocked bloqueado blurry body boleto boolean
both brand broken bucket bundle business but by cache cadastrado cadastro called campo can cancel cancelado
cancelled cannot capture caracteres card cardholder carry cartao cartão cartões category cause cedente cent
centavos cep certificado certificate change character charge chargeback charset chave check cidade city client
cliente close cnh cnpj cobrança code com combination combined company complement complemento complete completo
compra comprador confere conflict connect connection constraint conta contact contain contate contato content
conter contestação contrato control corpo correct corrente correto could country cpf create credenciais
credential credit criado crypto cryptogram crédito crítico csr currency current customer cut cvc cvv código da
dados das data database date day dd de deadline debit declined default deferred delete denied dentro deny
depois depth description descriptor details detected deve devem device dia did diferente differ different
digit digitable digitável disabled disponível divergente do document documento does domain domínio done dos
due duplicado duplicate duration during dv dígito e each early either ela ele else em email emissor empty
enable encoding encontrado end endereço endpoint enough entre enviado envie environment erro error espera
esperado essa esse esta estabelecimento estado este estornado estorno está event evento exactly excedeu
excedido exceed except exist existe expected expirado expiration expire expirou expiry external face failure
falha falhou false falta feature fee fetch few field file filled final financial find fingerprint first flag
foi follow for fora forbidden form format formato foto found fraud frente from front full function fundos
funds física gateway gere get getaddrinfo given go google grant greater group guessed guid had handled has
hash have head header hmac holder hora horário host hostname hour html http id identificador identifier
identity if igual image in inactive inativo include incomplete incompleto incorrect incorreto index
indisponível inexistente informado informações inicial inside installment instead insufficient insuficiente
int integer interim internal interno into invalid inválido ip is iso ispb issue issuer it item its itself jpeg
json juros jurídica já key kind kyc last late later latin least left legal length less letters level like
limit limite line linha list lista live local location login loja long longer lost lower luhn machine made
mail main maintenance maior mais make malformed mandatory many mas match max maximum maxlength may md5 media
meio menor menos mensagem merchant mesmo message metadata method middle min minimum minlength minor minute
minutos mismatch missing mixed mm mode model modo month more most motivo moved much muito multa multipart must
máximo método mês mínimo na name nas needed needs negado neighborhood nem nenhum nenhuma net network never new
next no nome none normal nos not nothing notice notification novamente novo now null nulo number não número o
oauth object obrigatório ocorreu octet of off offline on once only open operation operational operação option
optional opção or order organization os other ou out outro outside over own owner pagador pagamento page pago
paid pan para parameter parcela parcelado parceria parcial parse part parâmetro passed patch path pattern pay
payer payload payment payout país pdf pedido pelo pendente pending per perfil period permanent permission
permissão permitido permitted person personal pessoa pf phone photo picture pix pj place plain platform please
plus png pode policy por portador position possui possível post poupança prazo preenchido preenchimento prefix
present presente previous price private problem process processado processamento processor product produto
profile prohibited proibido proof property protected provide provider próximo public put página qr qual quando
quantidade quantity que query queue quota range rate razão reach read ready reason recebedor recebido receipt
receive receiver record recurso recusa recusado redirect reembolso reenviar reference refers referência refund
refusal refuse register registrado registration registro regra reject rejection rejeitado related remessa
repasse repeat replay report representative request requisição requisições resend reset resource respond
response resposta rest restricted resubmit result resultado retries retry return reused review revoke right
rua rule saldo same sandbox saque schema scheme se second secret section secure security see segundos select
selfie seller sem send sendo senha sent ser server service servidor serviço session sessão set settled
settlement seu shape short should show side sign signature sim site situação size small so sobre social
solicitado solicitação soma some somente soon split standard start state statement status step still store
stream street string sua sub subaccount subconta submerchant submit submitted subscription substituído success
sucesso such sum suporte support suspeita suspended suspenso system system's taken takes tamanho tax taxa
telefone tempo temporariamente temporarily temporary tentar tentativa tente ter terminal text than that the
their then there these they this those threeds threedsdata time timeout timestamp timezone tipo title titular
to todas today todos token tokenization tokenize too total transaction transação transações transfer
transferências transport tried true try type ultrapassar unable unauthenticated unauthorized unavailable under
undocumented unexpected unit unknown unprocessable unsupported until unused up update upper upsell url use
user uso usually usuário utc utf utilizado uuid valid validade validar validate validation validação valor
value vault vazio vencido vencimento vendedor verification verificação verified verifique verify version verso
versão via violates violation wait wallet was way we web webhook week were what when where which while whole
why will window with withdraw withdrawal within without word wrong xml year yet you your yyyy zip é
`;

/** Names of HTTP, of the system and of JavaScript. */
const names = `
one suspected recipient entity tarde suportado moeda zero nascimento original antifraud upstream remaining jwt
fraude aborted absent activatedat additionalinfo addr agent aggregate allowance allowedhosts amz app around
ascii asn assign async audience awaited backend bigint boundary buffer bytes chain chargedback chunked
ciphertext class configuration configured connreset constructor corrupted cors dashes decimals decode
decompress defined delay delivery der diário dns dots eai econnaborted econnrefused econnreset ehostunreach
enetunreach enotfound eof epipe eproto equal errno etimedout evaluating exception exclude exec extensible fail
fault frozen future gmt gzip handler handshake hang honor how idempotency identified ilegivel ilegível import
instance invalida invalidparams iterable keep-alive keepalive known large leave listen lookup low marker mb mime module
mtls nodejs origin outcome package parser password past pem percentage pipe port premature probability
properties protocol prototype proxy ratelimit referenceerror regexp remote req require resolve resubmittable
runtime segurança self sha256 signal socket sorry spaces ssl stack syntax syntaxerror tcp terminated test them
tls tls1 trace tunnel typeerror undefined undici unsent upload uri utf-8 utf8 v1 v2 v3 valueerror verbs welcome
whether who worker writable write wss x away busy column disk lock relation row table unique
`;

const known = new Set(`${words}${names}`.match(/\S+/g));

/** What a form of a word ends with, in English and Portuguese, and what the word ends with instead. */
const endings = [
  ['s', ''],
  ['es', ''],
  ['d', ''],
  ['ed', ''],
  ['ing', ''],
  ['ing', 'e'],
  ['a', 'o'],
  ['as', 'o'],
  ['os', 'o'],
  ['ly', ''],
] as const;

/** The words that a word, in small letters, may be a form of. */
export const formsOf = (word: string): readonly string[] =>
  endings.flatMap(([ending, instead]) =>
    word.length >= ending.length + 3 && word.endsWith(ending)
      ? [word.slice(0, -ending.length) + instead]
      : [],
  );

/** Whether a word, in any capitals, or the word that it is a form of, is shown. */
export function isKnownWord(given: string): boolean {
  const word = given.toLowerCase();
  return known.has(word) || formsOf(word).some((form) => known.has(form));
}
