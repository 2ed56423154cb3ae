/** Everything inside a secret field is also secret. */
const secret =
  /secret|token|passw|senha|segredo|cryptogram|cavv|^(?:number|cvv|cvc|wallet|threeDSData|authorization|apiKey)$/i;

const personal =
  /^name$|(?:holder|full|first|last|legal|trade|mother|company|representative)_?name|nome|razao|mail|document(?:_?number)?$|cpf|cnpj|^rg$|phone|fone|celular|birth|nasc|address|street|neighborhood|complement|city|zip|cep$|comprador|destinatario|pagador|endereco|logradouro|bairro|^rua$|passaporte|passport|bank_?(?:agency|account)|agency|iban|^(?:dv|ip|client_?ip)$/i;

/** Messages must show these values. */
const kind =
  /(?:type|tipo|state|country|^bankName|^bankCode|^expirationMonth|^expirationYear|^installments)$/i;

export const confidentiality = (name: string): 'secret' | 'personal' | undefined =>
  secret.test(name) ? 'secret' : personal.test(name) ? 'personal' : undefined;

export const isKindField = (name: string): boolean => kind.test(name);

/** Each word of the name is also personal. */
export const isNameField = (name: string): boolean => /name|nome|razao/i.test(name);
