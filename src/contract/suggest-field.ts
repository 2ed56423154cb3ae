import { closeNames, plainName } from '../validation/closest-name.js';
import { methodRules } from './payments/methods.js';
import type { RuntimeSchema } from './runtime-schema.js';
import { valueAt } from './wire-names.js';

/**
 * Other names of each field. They come from other payment APIs, from the prose of the API docs, and from
 * Portuguese. A field of a document is written as `document.type`.
 */
const otherNames: Readonly<Record<string, string>> = {
  addressCity: 'city cidade municipio',
  addressComplement: 'complement complemento',
  addressCountry: 'country pais',
  addressNeighborhood: 'neighborhood neighbourhood district bairro',
  addressNumber: 'addressstreetnumber streetnumber number numero',
  addressState: 'state estado uf',
  addressStreet: 'address street endereco rua logradouro',
  addressStreetNumber: 'addressnumber streetnumber number numero',
  addressZipCode: 'zip zipcode postalcode cep',
  amount: 'value valor valortotal total totalamount',
  bankAccount: 'account conta contabancaria accountnumber',
  bankAccountDv: 'dv digit digito',
  bankAccountType: 'accounttype tipoconta',
  bankAgency: 'agency agencia branch',
  bankCode: 'banco codigobanco compe',
  bankName: 'nomebanco',
  birthDate: 'birthday dateofbirth dob nascimento datanascimento datadenascimento',
  boleto: 'boletooptions bankslip',
  cardTokenId: 'token cardtoken tokenid tokencartao',
  cartaoCnpj: 'cnpjcard',
  certificate: 'cert pem certificado',
  clientIp: 'ip ipaddress customerip remoteip ipcliente',
  cnhCompleta: 'cnh driverslicence driverslicense',
  cnpj: 'document documento documentnumber companydocument',
  contratoSocial: 'socialcontract articlesofassociation',
  customer: 'buyer client cliente comprador payer pagador',
  cvv: 'cvc cvv2 securitycode codigoseguranca',
  'document.number': 'cpf cnpj cpfcnpj document documento documentnumber numero numerodocumento taxid',
  document: 'cpf documento documentnumber',
  'document.type': 'documenttype tipo tipodocumento',
  documentNumber: 'cpf cnpj cpfcnpj document documento taxid',
  documentType: 'tipodocumento',
  documentoFrente: 'documentfront rgfrente frente',
  documentoVerso: 'documentback rgverso verso',
  domainName: 'domain dominio host hostname',
  email: 'mail correio',
  events: 'eventos eventtypes subscriptions',
  expiration:
    'expire expires expiresin expiresat expiry expira expiraem expirationdate expirationinseconds expirationseconds expirationtime ttl expiracao expiracaosegundos tempoexpiracao validade dueat duedate vencimento',
  expirationDate:
    'expire expires expiresin expiresat expiry expirydate expiration expira expiraem expiracao validade due dueat duedate vencimento datavencimento',
  expirationMonth: 'expmonth month mes validademes',
  expirationYear: 'expyear year ano validadeano',
  externalId: 'externalreference reference referenceid referencia merchantorderid orderid ordernumber pedido',
  fullName: 'name nome nomecompleto',
  hmac_secret: 'secret signingsecret webhooksecret segredo',
  holderName: 'holder cardholdername name nome titular nometitular',
  installments:
    'installment installmentcount installmentnumber installmentscount installmentsquantity numberofinstallments numinstallments quantityofinstallments totalinstallments parcela parcelas parcelamento numeroparcelas numparcelas qtdparcelas quantidadeparcelas totalparcelas vezes',
  items: 'itens lineitems products produtos',
  metadata: 'metadados',
  name: 'fullname nome nomecompleto',
  number: 'cardnumber pan numerocartao',
  paymentMethod: 'method paymenttype metodo metodopagamento formapagamento',
  phone: 'phonenumber mobile telefone celular',
  pix: 'pixoptions',
  quantity: 'qty qtd qtde quantidade',
  representativeCpf: 'cpf cpfrepresentante',
  representativeName: 'nomerepresentante',
  split: 'receivers recebedores repasse rules splitrule splitrules',
  statementDescriptor: 'descriptor softdescriptor descricaofatura',
  subMerchant: 'subaccount subconta',
  threeDSData: '3ds threeds threedsecure',
  title: 'name nome titulo description descricao',
  unitPrice: 'price preco precounitario unitamount valorunitario',
  wallet: 'applepay carteira',
  webhook_url: 'url endpoint callbackurl',
};

/** Also names of fields of the merchant's contract. They mean a documented field only if it is missing. */
const ambiguousNames =
  'account address banco client description descricao document documento email endereco externalreference ip merchantorderid mobile name nome number numero orderid ordernumber pedido reference referenceid referencia rules state telefone celular phonenumber token total totalamount type url value valor valortotal year month';
let ambiguous: ReadonlySet<string> | undefined;
const isAmbiguous = (plain: string) => {
  ambiguous ??= new Set(ambiguousNames.split(' '));
  return ambiguous.has(plain);
};

const methods: ReadonlyMap<string, string> = new Map([
  ...Object.entries(methodRules).map(([method, { block }]) => [block, method] as const),
  ['card', 'credit_card'],
]);

interface Candidate {
  readonly path: string;
  /** Whether the name is wrong even if the field is also set, unless both have the same value. */
  readonly isCertain: boolean;
}

export interface MeantField {
  readonly path: string;
  /** Whether the caller also passed the field under its own name, with another value. */
  readonly isPassed: boolean;
  /** The field's payment method, if the payment has a different one. */
  readonly method?: string | undefined;
}

/** Merchants send the same names in each call. */
const knownCandidates = new WeakMap<RuntimeSchema, Map<string, readonly Candidate[]>>();
const maxKnownNames = 1_000;

/**
 * The payment's method decides between the objects of a payment, and a field of another method is reported as
 * such. A plural or a digit can be a field of the merchant's contract.
 */
export function findMeantField(name: string, schema: RuntimeSchema, value: unknown): MeantField | undefined {
  const candidates = findCandidates(name, schema);
  const allowed = candidates.filter(({ path }) => otherMethod(path, value) === undefined);
  const isMissing = ({ path }: Candidate) => valueAt(value, path.split('.')) === undefined;
  // Of several nested fields, none is more likely than the others.
  const nested = new Set(allowed.map(({ path }) => path).filter((path) => schema.fields[path] === undefined));
  const meant = allowed.find(
    (candidate) => isMissing(candidate) && !(nested.size > 1 && nested.has(candidate.path)),
  );
  if (meant !== undefined) return { path: meant.path, isPassed: false };
  const sent = valueAt(value, [name]);
  if (allowed.some(({ path }) => isSame(valueAt(value, path.split('.')), sent))) return undefined;
  const passed = allowed.find((candidate) => candidate.isCertain && !isMissing(candidate));
  if (passed !== undefined) return { path: passed.path, isPassed: true };
  const [other] = allowed.length > 0 ? [] : candidates.filter(({ isCertain }) => isCertain);
  return other && { path: other.path, isPassed: false, method: otherMethod(other.path, value) };
}

/** `amount` in the card, or `expiration` in the customer. `value` is the whole payment. */
export function findMisplacedField(
  name: string,
  schema: RuntimeSchema,
  value: unknown,
  depth: number,
): string | undefined {
  if (schema.fields[name] !== undefined && valueAt(value, [name]) === undefined) return name;
  if (depth > 1) return undefined;
  return findCandidates(name, schema).find(
    ({ path, isCertain }) =>
      isCertain &&
      methods.has(path.split('.', 1)[0] ?? '') &&
      path.includes('.') &&
      otherMethod(path, value) === undefined &&
      valueAt(value, path.split('.')) === undefined,
  )?.path;
}

function otherMethod(path: string, payment: unknown): string | undefined {
  const [outer = '', inner] = path.split('.');
  const method = inner === undefined ? undefined : methods.get(outer);
  const chosen = valueAt(payment, ['paymentMethod']);
  return method === chosen || ![...methods.values()].some((one) => one === chosen) ? undefined : method;
}

/** Compares two values without punctuation, so that `123.456.789-09` and `12345678909` are the same. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one !== 'object' && typeof other !== 'object' && withoutMarks(one) === withoutMarks(other));
const withoutMarks = (value: unknown) => String(value).replace(/\W/g, '').toLowerCase();

/** Checks whether two plain names differ in one letter that is missing or added, or in two that are swapped. */
function isTypo(one: string, other: string): boolean {
  const longer = one.length - other.length;
  if (one.length < 5 || one.length > 40 || Math.abs(longer) > 1 || /\d/.test(one)) return false;
  if (one === `${other}s` || other === `${one}s`) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  if (longer > 0) return one.slice(start + 1) === other.slice(start);
  if (longer < 0) return one.slice(start) === other.slice(start + 1);
  const isSwapped = one[start] === other[start + 1] && one[start + 1] === other[start];
  return start === one.length || (isSwapped && one.slice(start + 2) === other.slice(start + 2));
}

const isSpelling = (one: string, other: string) => one === other || isTypo(one, other);

/** Removes Portuguese prepositions between two words, so that `numero_de_parcelas` equals `numeroParcelas`. */
const withoutPrepositions = (name: string): string => name.replace(/([a-z])(?:_d|D)[aeo]s?(?=[A-Z_])/g, '$1');

function findCandidates(name: string, schema: RuntimeSchema): readonly Candidate[] {
  const known = knownCandidates.get(schema) ?? new Map<string, readonly Candidate[]>();
  knownCandidates.set(schema, known);
  const candidates = known.get(name) ?? listCandidates(plainName(withoutPrepositions(name)), schema);
  if (known.size < maxKnownNames) known.set(name, candidates);
  return candidates;
}

let synonyms: readonly { readonly field: string; readonly names: readonly string[] }[] | undefined;

function listSynonyms(plain: string): readonly string[] {
  synonyms ??= Object.entries(otherNames).map(([field, names]) => ({ field, names: names.split(' ') }));
  const exact = synonyms.filter(({ names }) => names.includes(plain));
  const found =
    exact.length > 0 ? exact : synonyms.filter(({ names }) => names.some((name) => isTypo(plain, name)));
  return found.map(({ field }) => field);
}

function listCandidates(plain: string, { fields }: RuntimeSchema): Candidate[] {
  const names = Object.keys(fields);
  const isDocument = names.includes('number') && names.includes('type');
  const isCertain = !isAmbiguous(plain);
  const spelt = closeNames(plain, names).map((path) => ({
    path,
    isCertain: isSpelling(plain, plainName(path)),
  }));
  const all = listSynonyms(plain);
  const others = all
    .map((field) => (isDocument ? field.replace(/^document\./, '') : field))
    .filter((field) => {
      const [outer = '', inner] = field.split('.');
      return inner === undefined ? fields[outer] !== undefined : fields[outer]?.fields[inner] !== undefined;
    })
    .map((path) => ({ path, isCertain }));
  const nested = names.flatMap((outer) => {
    const prefix = plainName(outer);
    const isPrefixed = plain.startsWith(prefix) && plain !== prefix;
    const rest = isPrefixed ? plain.slice(prefix.length) : plain;
    const isOfMethod = methods.has(outer);
    // A top-level `number` is the order's, not the card's.
    if (isOfMethod && !isPrefixed && !isCertain) return [];
    const meant = isAmbiguous(rest) ? [] : isPrefixed ? listSynonyms(rest) : all;
    return Object.keys(fields[outer]?.fields ?? {})
      .filter((field) => isSpelling(rest, plainName(field)) || meant.includes(field))
      .map((field) => ({
        path: `${outer}.${field}`,
        isCertain: isOfMethod,
        isExact: rest === plainName(field),
      }));
  });
  nested.sort((one, other) => Number(other.isExact) - Number(one.isExact));
  return [...others, ...spelt, ...nested];
}
