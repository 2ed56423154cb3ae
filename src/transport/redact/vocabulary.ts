/**
 * The words that texts of a platform are shown in: those of payments, of HTTP and of the API document, in
 * English and Portuguese. No word here is a name of a person or of a place, or a number that is spelt out.
 */
const words = `
a abaixo about above accept accepted access account accounts aceita aceito acesso acima acquirer acquiring
across activate activated activation active actual add additional address adicional adquirente advice after
again agencia agency agora agência ainda algum alguma all allow allowed allows alone already also alterado
alteração although always amount amounts an analise analysis and another answer antes any análise ao aos
apenas api apple application approval approved aprovada aprovado após aquisição are arquivo arquivos array
as assinatura at ativa ativar ativo attempt attempts attribute até ausente autenticado autenticação auth
authentication authorised authority authorization authorized autorizada autorizado autorização available
average bad bairro balance banco bancária bancário bandeira bank banks base base64 basic be bearer because
been before begin being below between bin birth blocked bloqueada bloqueado body boleto boletos boolean both
brand brands broken bucket bundle business but by cache cadastrada cadastrado cadastro called campo campos
can cancel cancelada cancelado canceled cancelled cannot capture captured caracteres card cardholder cards
carry cartao cartão cartões category cause cedente cent centavos cents cep certificado certificate
certificates change changed changes character characters charge chargeback chargebacked charged charges
charset chave chaves check checked checks cidade city client cliente clientes clients close closed cnh cnpj
cobrança cobranças code codes com combination combined company complement complemento completa complete
completed completo compra comprador conflict connect connection constraint conta contact contain contains
contas contate content contestação contrato control corpo correct corrente correto could country cpf create
created credenciais credential credentials credit criada criado crypto cryptogram crédito crítico csr
currency current customer customers cut cvc cvv código códigos da dados das data database date day days dd
de deadline debit declined default deferred delete deleted denied dentro deny depois depth description
descriptor details deve devem device dia dias did diferente differ different digit digitable digits
digitável disabled disponível divergente do document documented documento documentos documents does domain
domains domínio done dos due duplicada duplicado duplicate duplicated duration during dv dígito dígitos e
each early either ela ele eles else em email emissor empty enable enabled encoding encontrada encontrado end
ended endereço endpoint endpoints enough entre enviada enviado environment erro error errors erros espera
esperado essa esse esta estabelecimento estado este estornada estornado estorno está event evento eventos
events exactly excedeu excedida excedido exceed exceeded exceeding exceeds except exist existe existing
exists expected expirada expirado expiration expire expired expires expirou expiry external face failed
failure falha falhou false falta feature features fee fees fetch few field fields file files filled final
financial find fingerprint first flag foi follow following for fora forbidden form format formato foto found
fraud frente from front full function fundos funds física gateway get given go google grant greater group
guessed guid had handled has hash have head header headers hmac holder hora horas host hostname hour hours
html http https id identificador identifier identity if igual image in inactive inativa inativo include
included incomplete incompleto incorrect incorreta incorreto index indisponível inexistente informada
informado informações inicial inside installment installments instead insufficient insuficiente
insuficientes int integer interim interna internal interno into invalid inválida inválidas inválido
inválidos ip is iso ispb issue issued issuer issues it item items its itself jpeg json juros jurídica já key
keys kind kyc last late later latin least left legal length less letters level like limit limite limites
limits line linha list lista live local location locked login loja long longer lost lower machine made mail
main maintenance maior mais make mandatory many mas match matches matching max maximum maxlength may md5
media meio menor menos mensagem merchant merchants mesma mesmo message messages metadata method methods
middle min minimum minlength minor minute minutes minutos mismatch missing mixed mm mode model modo month
months more most motivo moved much muito multa multipart must máxima máximo método mês mínima mínimo na name
named names nas needed needs negada negado neighborhood nem nenhum nenhuma net network never new next no
nome none normal nos not nothing notice notification notifications nova novamente novo nula null nulo number
numbers não número números o oauth object objects obrigatória obrigatório ocorreu octet of off offline on
once only open operation operational operations operação option optional options opção or order orders
organization os other others ou out outra outro outside over own owner paga pagador pagamento pagamentos
page pago pagos paid pan para parameter parameters parcela parcelado parcelas parceria parse parsed part
parts parâmetro parâmetros patch path pattern pay payer payload payment payments payout payouts país pdf
pedido pela pelo pendente pending per perfil period permanent permission permissão permitida permitido
permitted person personal pessoa pf phone picture pix pj place plain platform please plus png policy por
portador possui possível post position getaddrinfo poupança prazo preenchido preenchimento prefix present presente previous price
private problem problems process processada processado processamento processed processing processor product
products produto profile prohibited proibido proof property protected provide provided provider próximo
public put página qr qual quando quantidade quantity que query queue quota range rate rates razão reach
reached read ready reason recebedor recebedores recebida recebido receipt receive received receiver
receivers record records recurso recusa recusada recusado redirect reembolso reenviar reference refers
referência refund refunded refunds refusal refuse refused register registered registrada registrado
registration registro regra regras reject rejected rejection rejeitada rejeitado related remessa repasse
repeat repeated replay report representative request requested requests required requires requisição
requisições resend reset resource respond response resposta rest restricted resubmit result resultado
retries retry return returned returns reused review revoke revoked rua rule rules saldo same sandbox saque
saques schema scheme se second seconds secret secrets section secure security see segundos select selfie
seller sellers sem send sendo senha sent ser server service servidor serviço session sessão set settled
settlement seu seus shape short should show side sign signature signed signing sim site situação size small
so sobre social solicitado solicitação soma some somente soon split splits standard start state statement
states status step still store stored stream street string strings sua suas sub subaccount subconta
subcontas submerchant submerchants submit submitted subscription substituído success sucesso such sum
suporte support supported suspeita suspended suspensa suspenso system system's taken takes tamanho tax taxa
taxas telefone tempo temporariamente temporarily temporary tentar tentativa tentativas tente ter terminal
text than that the their then there these they this those threeds threedsdata time timed timeout timestamp
timezone tipo tipos title titular to todas today todos token tokenization tokenize tokens too total
transaction transactions transação transações transfer transport tried true try type types unable
unauthenticated unauthorized unavailable under undocumented unexpected unit units unknown unprocessable
unsupported until unused up update updated updates upper upsell url use used user uses uso usually usuário
utc utf utilizada utilizado uuid valid validade validar validate validated validation validação valor
valores value values vault vazia vazio vencida vencido vencimento vendedor verification verificação verified
verifique verify version verso versão via violates violation wait waiting wallet wallets was way web webhook
webhooks week were what when where which while whole why will window with withdraw withdrawal withdrawals
within without word words wrong xml year years yet you your yyyy zip é
`;

/** Names of HTTP, of the system and of JavaScript. */
const names = `
chargedback equal equals fail fails failing low future properties marker between segurança diário ilegível ilegivel honor invalida vazios saldo
absent around belongs dashes decimals delay delivery dots exclude forms gets hosts how idempotency identified known large
leave limited listen mb origin origins outcome pages password past percentage probability refuses resolved resubmittable
spaces test them whether who allowedhosts
boundary class constructor import importing instance module package property prototype reading req require resolve set trace defined handler called evaluating assign extensible frozen writable welcome sorry
aborted accepts activatedat additionalinfo addr agent aggregate allowance amz app ascii asn async audience
awaited backend bigint buffer bytes chain chunked ciphertext configuration configured connreset corrupted
cors decode decoded decompress der dns eai econnaborted econnrefused econnreset ehostunreach enetunreach
enotfound eof epipe eproto errno etimedout exception exec fault gateway gmt gzip handshake hang identity
invalidparams iterable keepalive lookup mime mtls nodejs parser pem pipe port premature protocol proxy
ratelimit referenceerror regexp remote runtime self sha256 signal socket ssl stack streams syntax
syntaxerror tcp terminated tls tls1 tunnel typeerror undefined undici unsent upload uri utf8 v1 v2 v3
valueerror verbs violations worker write wss x
`;

const known = new Set(`${words}${names}`.match(/\S+/g));

/** Whether a word, in any capitals, is  of those that are shown. */
export const isKnownWord = (word: string): boolean => known.has(word.toLowerCase());
