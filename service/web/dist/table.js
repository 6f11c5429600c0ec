var x;(function(e){e[e.Canceled=1]="Canceled",e[e.Unknown=2]="Unknown",e[e.InvalidArgument=3]="InvalidArgument",e[e.DeadlineExceeded=4]="DeadlineExceeded",e[e.NotFound=5]="NotFound",e[e.AlreadyExists=6]="AlreadyExists",e[e.PermissionDenied=7]="PermissionDenied",e[e.ResourceExhausted=8]="ResourceExhausted",e[e.FailedPrecondition=9]="FailedPrecondition",e[e.Aborted=10]="Aborted",e[e.OutOfRange=11]="OutOfRange",e[e.Unimplemented=12]="Unimplemented",e[e.Internal=13]="Internal",e[e.Unavailable=14]="Unavailable",e[e.DataLoss=15]="DataLoss",e[e.Unauthenticated=16]="Unauthenticated"})(x||(x={}));function es(e,t){return e!==null&&typeof e=="object"&&"$typeName"in e&&typeof e.$typeName=="string"?t===void 0?!0:t.typeName===e.$typeName:!1}var E;(function(e){e[e.DOUBLE=1]="DOUBLE",e[e.FLOAT=2]="FLOAT",e[e.INT64=3]="INT64",e[e.UINT64=4]="UINT64",e[e.INT32=5]="INT32",e[e.FIXED64=6]="FIXED64",e[e.FIXED32=7]="FIXED32",e[e.BOOL=8]="BOOL",e[e.STRING=9]="STRING",e[e.BYTES=12]="BYTES",e[e.UINT32=13]="UINT32",e[e.SFIXED32=15]="SFIXED32",e[e.SFIXED64=16]="SFIXED64",e[e.SINT32=17]="SINT32",e[e.SINT64=18]="SINT64"})(E||(E={}));function pa(){let e=this.buf,t=this.pos,n=0,s=0;for(let a=0;a<28;a+=7){let r=e[t++];if(n|=(r&127)<<a,(r&128)==0){this.pos=t,this.assertBounds(),this.varint64Lo=n,this.varint64Hi=s;return}}let o=e[t++];if(n|=(o&15)<<28,s=(o&112)>>4,(o&128)==0){this.pos=t,this.assertBounds(),this.varint64Lo=n,this.varint64Hi=s;return}for(let a=3;a<=31;a+=7){let r=e[t++];if(s|=(r&127)<<a,(r&128)==0){this.pos=t,this.assertBounds(),this.varint64Lo=n,this.varint64Hi=s;return}}throw new Error("invalid varint")}var jn=4294967296;function ts(e){let t=e[0]==="-";t&&(e=e.slice(1));let n=1e6,s=0,o=0;function a(r,i){let c=Number(e.slice(r,i));o*=n,s=s*n+c,s>=jn&&(o=o+(s/jn|0),s=s%jn)}return a(-24,-18),a(-18,-12),a(-12,-6),a(-6),t?ma(s,o):ss(s,o)}function fa(e,t){let n=ss(e,t),s=n.hi&2147483648;s&&(n=ma(n.lo,n.hi));let o=ns(n.lo,n.hi);return s?"-"+o:o}function ns(e,t){if({lo:e,hi:t}=dd(e,t),t<=2097151)return String(jn*t+e);let n=e&16777215,s=(e>>>24|t<<8)&16777215,o=t>>16&65535,a=n+s*6777216+o*6710656,r=s+o*8147497,i=o*2,c=1e7;return a>=c&&(r+=Math.floor(a/c),a%=c),r>=c&&(i+=Math.floor(r/c),r%=c),i.toString()+la(r)+la(a)}function dd(e,t){return{lo:e>>>0,hi:t>>>0}}function ss(e,t){return{lo:e|0,hi:t|0}}function ma(e,t){return t=~t,e?e=~e+1:t+=1,ss(e,t)}var la=e=>{let t=String(e);return"0000000".slice(t.length)+t};function ga(e,t){if(e>>>0<128){t.push(e);return}if(e>=0){for(;e>127;)t.push(e&127|128),e=e>>>7;t.push(e)}else{for(let n=0;n<9;n++)t.push(e&127|128),e=e>>7;t.push(1)}}function ha(){let e=this.buf[this.pos++];if((e&128)===0)return this.assertBounds(),e;let t=e&127;if(e=this.buf[this.pos++],t|=(e&127)<<7,(e&128)===0)return this.assertBounds(),t;if(e=this.buf[this.pos++],t|=(e&127)<<14,(e&128)===0)return this.assertBounds(),t;if(e=this.buf[this.pos++],t|=(e&127)<<21,(e&128)===0)return this.assertBounds(),t;e=this.buf[this.pos++],t|=(e&15)<<28;for(let n=5;(e&128)!==0&&n<10;n++)e=this.buf[this.pos++];if((e&128)!==0)throw new Error("invalid varint");return this.assertBounds(),t>>>0}var ne=ld();function ld(){let e=new DataView(new ArrayBuffer(8));if(typeof BigInt=="function"&&typeof e.getBigInt64=="function"&&typeof e.getBigUint64=="function"&&typeof e.setBigInt64=="function"&&typeof e.setBigUint64=="function"&&(!!globalThis.Deno||!!globalThis.Bun||typeof process!="object"||typeof process.env!="object"||process.env.BUF_BIGINT_DISABLE!=="1")){let n=BigInt("-9223372036854775808"),s=BigInt("9223372036854775807"),o=BigInt("0"),a=BigInt("18446744073709551615");return{zero:BigInt(0),supported:!0,parse(r){let i=typeof r=="bigint"?r:BigInt(r);if(i>s||i<n)throw new Error(`invalid int64: ${r}`);return i},uParse(r){let i=typeof r=="bigint"?r:BigInt(r);if(i>a||i<o)throw new Error(`invalid uint64: ${r}`);return i},enc(r){return e.setBigInt64(0,this.parse(r),!0),{lo:e.getInt32(0,!0),hi:e.getInt32(4,!0)}},uEnc(r){return e.setBigInt64(0,this.uParse(r),!0),{lo:e.getInt32(0,!0),hi:e.getInt32(4,!0)}},dec(r,i){return e.setInt32(0,r,!0),e.setInt32(4,i,!0),e.getBigInt64(0,!0)},uDec(r,i){return e.setInt32(0,r,!0),e.setInt32(4,i,!0),e.getBigUint64(0,!0)}}}return{zero:"0",supported:!1,parse(n){return typeof n!="string"&&(n=n.toString()),ba(n),n},uParse(n){return typeof n!="string"&&(n=n.toString()),ya(n),n},enc(n){return typeof n!="string"&&(n=n.toString()),ba(n),ts(n)},uEnc(n){return typeof n!="string"&&(n=n.toString()),ya(n),ts(n)},dec(n,s){return fa(n,s)},uDec(n,s){return ns(n,s)}}}function ba(e){if(!/^-?[0-9]+$/.test(e))throw new Error("invalid int64: "+e)}function ya(e){if(!/^[0-9]+$/.test(e))throw new Error("invalid uint64: "+e)}function lt(e,t){switch(e){case E.STRING:return"";case E.BOOL:return!1;case E.DOUBLE:case E.FLOAT:return 0;case E.INT64:case E.UINT64:case E.SFIXED64:case E.FIXED64:case E.SINT64:return t?"0":ne.zero;case E.BYTES:return new Uint8Array(0);default:return 0}}var os=Symbol.for("reflect unsafe local");function pt(e,t){return Object.prototype.hasOwnProperty.call(e,t)&&e[t]!==void 0}function ke(e,t,n){t==="__proto__"?Object.defineProperty(e,"__proto__",{value:n,writable:!0,enumerable:!0,configurable:!0}):e[t]=n}function en(e){return e!==null&&typeof e=="object"&&!Array.isArray(e)}function ft(e){let t=e.fields[0];return fd(e.typeName)&&t!==void 0&&t.fieldKind=="scalar"&&t.name=="value"&&t.number==1}function va(e){switch(e.typeName){case"google.protobuf.Any":case"google.protobuf.Timestamp":case"google.protobuf.Duration":case"google.protobuf.FieldMask":case"google.protobuf.Struct":case"google.protobuf.Value":case"google.protobuf.ListValue":return!0;default:return ft(e)}}var pd=new Set(["google.protobuf.DoubleValue","google.protobuf.FloatValue","google.protobuf.Int64Value","google.protobuf.UInt64Value","google.protobuf.Int32Value","google.protobuf.UInt32Value","google.protobuf.BoolValue","google.protobuf.StringValue","google.protobuf.BytesValue"]);function fd(e){return pd.has(e)}var md=999,gd=998,Sa=2;function Z(e,t){return es(t,e)?t:_a(e)(t)}var Ea=new WeakMap;function _a(e){let t=Ea.get(e);return t===void 0&&(t=hd(e),Ea.set(e,t)),t}var as=0,wa=1,ka=2,Ra=3;function hd(e){let t=e.typeName,{properties:n,prototype:s}=bd(e);return o=>{let a;s!==void 0?(a=Object.create(s),a.$typeName=t):a={$typeName:t};for(let r=0;r<n.length;r++){let i=n[r],c=i.name,d=o?.[c];switch(i.kind){case as:d!=null?a[c]=i.convert!==void 0?i.convert(d):d:i.constant!==void 0&&(a[c]=i.constant);break;case wa:a[c]=i.convert!==void 0&&Array.isArray(d)?d.map(i.convert):d??[];break;case ka:if(i.convert===void 0||!en(d))a[c]=d??{};else{let p={},m=Object.keys(d);for(let h=0;h<m.length;h++)ke(p,m[h],i.convert(d[m[h]]));a[c]=p}break;case Ra:{let p=d;if(p?.case!=null){let m=i.convert.get(p.case);if(m!==void 0){a[c]={case:p.case,value:m(p.value)};break}}a[c]={case:void 0};break}}}return a}}function bd(e){var t,n;let s=[],o={},a=vd(e);for(let r of e.members){let i=r.localName;if(r.kind=="oneof"){s.push({name:i,kind:Ra,constant:void 0,convert:yd(r)});continue}switch(r.fieldKind){case"message":{s.push({name:i,kind:as,constant:void 0,convert:zn(r)});break}case"list":{s.push({name:i,kind:wa,constant:void 0,convert:r.listKind=="message"?(t=zn(r))!==null&&t!==void 0?t:(c=>c):r.scalar==E.BYTES?tn:void 0});break}case"map":{s.push({name:i,kind:ka,constant:void 0,convert:r.mapKind=="message"?(n=zn(r))!==null&&n!==void 0?n:(c=>c):r.scalar==E.BYTES?tn:void 0});break}default:{let c=Ed(r);s.push({name:i,kind:as,constant:r.presence==Sa?c:void 0,convert:r.fieldKind=="scalar"&&r.scalar==E.BYTES?tn:void 0}),a&&(o[i]=c);break}}}return{properties:s,prototype:a?o:void 0}}function yd(e){let t=new Map;for(let n of e.fields){let s;n.fieldKind=="message"?s=zn(n):n.fieldKind=="scalar"&&n.scalar==E.BYTES&&(s=tn),t.set(n.localName,s??(o=>o))}return t}function zn(e){if(e.fieldKind=="message"&&!e.oneof&&ft(e.message))return e.message.fields[0].scalar==E.BYTES?tn:void 0;if(e.message.typeName=="google.protobuf.Struct"&&e.parent.typeName!=="google.protobuf.Value")return;let t=e.message,n;return s=>!en(s)||es(s,t)?s:(n??(n=_a(t)),n(s))}function tn(e){return Array.isArray(e)?new Uint8Array(e):e}function vd(e){switch(e.file.edition){case md:return!1;case gd:return!0;default:return e.fields.some(t=>t.presence!=Sa&&t.fieldKind!="message"&&!t.oneof)}}function Ed(e){let t=e.getDefaultValue();return t!==void 0?e.fieldKind=="scalar"&&e.longAsString?t.toString():t:e.fieldKind=="scalar"?lt(e.scalar,e.longAsString):e.enum.values[0].number}var Aa=()=>{};var xa=()=>{};var mt=class extends Error{constructor(t,n,s="FieldValueInvalidError"){super(n),this.name=s,this.field=()=>t}};var Sd=0;function Ne(e){if(_d(e))return{toMessage:n=>Ta(n),toLocal:n=>Na(n)};if(e.fieldKind=="message"&&!e.oneof&&ft(e.message)){let n=e.message,s=n.fields[0].localName;return{toMessage:o=>{let a=Z(n);return o!==void 0&&(a[s]=o),a},toLocal:o=>o[s]}}let t=e.message;return{toMessage:n=>n===void 0?Z(t):n,toLocal:n=>n}}function _d(e){return e.message.typeName=="google.protobuf.Struct"&&e.parent.typeName!="google.protobuf.Value"}function Ta(e){let t={$typeName:"google.protobuf.Struct",fields:{}};if(en(e))for(let n of Object.keys(e))ke(t.fields,n,Da(e[n]));return t}function Na(e){let t={};for(let n of Object.keys(e.fields))ke(t,n,Ia(e.fields[n]));return t}function Ia(e){switch(e.kind.case){case"structValue":return Na(e.kind.value);case"listValue":return e.kind.value.values.map(Ia);case"nullValue":case void 0:return null;default:return e.kind.value}}function Da(e){let t={$typeName:"google.protobuf.Value",kind:{case:void 0}};switch(typeof e){case"number":t.kind={case:"numberValue",value:e};break;case"string":t.kind={case:"stringValue",value:e};break;case"boolean":t.kind={case:"boolValue",value:e};break;case"object":if(e===null)t.kind={case:"nullValue",value:Sd};else if(Array.isArray(e)){let n={$typeName:"google.protobuf.ListValue",values:[]};if(Array.isArray(e))for(let s of e)n.values.push(Da(s));t.kind={case:"listValue",value:n}}else t.kind={case:"structValue",value:Ta(e)};break}return t}var Ma=Uint8Array.prototype.setFromBase64;function Re(e){let t=e.length,n=t-(t+3>>2);(t&3)==0&&e[t-1]=="="&&(n-=e[t-2]=="="?2:1);let s=new Uint8Array(n),o=-1;if(Ma)try{let a=Ma.call(s,e);a.read==t&&(o=a.written)}catch{}return o<0&&(o=wd(s,e)),o==n?s:s.subarray(0,o)}function wd(e,t){let n=Rd(),s=0,o=0,a,r=0;for(let i=0;i<t.length;i++){if(a=n[t.charCodeAt(i)],a===void 0)switch(t[i]){case"=":o=0;case`
`:case"\r":case"	":case" ":continue;default:throw Error("invalid base64 string")}switch(o){case 0:r=a,o=1;break;case 1:e[s++]=r<<2|(a&48)>>4,r=a,o=2;break;case 2:e[s++]=(r&15)<<4|(a&60)>>2,r=a,o=3;break;case 3:e[s++]=(r&3)<<6|a,o=0;break}}if(o==1)throw Error("invalid base64 string");return s}var Oa=Uint8Array.prototype.toBase64,kd={std:{alphabet:"base64",omitPadding:!1},std_raw:{alphabet:"base64",omitPadding:!0},url:{alphabet:"base64url",omitPadding:!0}};function he(e,t="std"){if(Oa)return Oa.call(e,kd[t]);let n=La(t),s=t=="std",o="",a=0,r,i=0;for(let c=0;c<e.length;c++)switch(r=e[c],a){case 0:o+=n[r>>2],i=(r&3)<<4,a=1;break;case 1:o+=n[i|r>>4],i=(r&15)<<2,a=2;break;case 2:o+=n[i|r>>6],o+=n[r&63],a=0;break}return a&&(o+=n[i],s&&(o+="=",a==1&&(o+="="))),o}var Jn,Ca,Lt;function La(e){return Jn||(Jn="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split(""),Ca=Jn.slice(0,-2).concat("-","_")),e=="url"?Ca:Jn}function Rd(){if(!Lt){Lt=[];let e=La("std");for(let t=0;t<e.length;t++)Lt[e[t].charCodeAt(0)]=t;Lt[45]=e.indexOf("+"),Lt[95]=e.indexOf("/")}return Lt}function Le(e){let t=!1,n=[];for(let s=0;s<e.length;s++){let o=e.charAt(s);switch(o){case"_":t=!0;break;case"0":case"1":case"2":case"3":case"4":case"5":case"6":case"7":case"8":case"9":n.push(o),t=!1;break;default:t&&(t=!1,o=o.toUpperCase()),n.push(o);break}}return n.join("")}function Ga(e){return e.replace(/[A-Z]/g,t=>"_"+t.toLowerCase())}var Ad=new Set(["constructor","toString","toJSON","valueOf"]);function Gt(e){return Ad.has(e)?e+"$":e}function nn(e){for(let t of e.field)pt(t,"jsonName")||(t.jsonName=Le(t.name));e.nestedType.forEach(nn)}function Pa(e,t){let n=e.values.find(s=>s.name===t);if(!n)throw new Error(`cannot parse ${e} default value: ${t}`);return n.number}function Ua(e,t){switch(e){case E.STRING:return t;case E.BYTES:{let n=xd(t);if(n===!1)throw new Error(`cannot parse ${E[e]} default value: ${t}`);return n}case E.INT64:case E.SFIXED64:case E.SINT64:return ne.parse(t);case E.UINT64:case E.FIXED64:return ne.uParse(t);case E.DOUBLE:case E.FLOAT:switch(t){case"inf":return Number.POSITIVE_INFINITY;case"-inf":return Number.NEGATIVE_INFINITY;case"nan":return Number.NaN;default:return parseFloat(t)}case E.BOOL:return t==="true";case E.INT32:case E.UINT32:case E.SINT32:case E.FIXED32:case E.SFIXED32:return parseInt(t,10)}}function xd(e){let t=[],n={tail:e,c:"",next(){return this.tail.length==0?!1:(this.c=this.tail[0],this.tail=this.tail.substring(1),!0)},take(s){if(this.tail.length>=s){let o=this.tail.substring(0,s);return this.tail=this.tail.substring(s),o}return!1}};for(;n.next();)switch(n.c){case"\\":if(n.next())switch(n.c){case"\\":t.push(n.c.charCodeAt(0));break;case"b":t.push(8);break;case"f":t.push(12);break;case"n":t.push(10);break;case"r":t.push(13);break;case"t":t.push(9);break;case"v":t.push(11);break;case"0":case"1":case"2":case"3":case"4":case"5":case"6":case"7":{let s=n.c,o=n.take(2);if(o===!1)return!1;let a=parseInt(s+o,8);if(Number.isNaN(a))return!1;t.push(a);break}case"x":{let s=n.c,o=n.take(2);if(o===!1)return!1;let a=parseInt(s+o,16);if(Number.isNaN(a))return!1;t.push(a);break}case"u":{let s=n.c,o=n.take(4);if(o===!1)return!1;let a=parseInt(s+o,16);if(Number.isNaN(a))return!1;let r=new Uint8Array(4);new DataView(r.buffer).setInt32(0,a,!0),t.push(r[0],r[1],r[2],r[3]);break}case"U":{let s=n.c,o=n.take(8);if(o===!1)return!1;let a=ne.uEnc(s+o),r=new Uint8Array(8),i=new DataView(r.buffer);i.setInt32(0,a.lo,!0),i.setInt32(4,a.hi,!0),t.push(r[0],r[1],r[2],r[3],r[4],r[5],r[6],r[7]);break}}break;default:t.push(n.c.charCodeAt(0))}return new Uint8Array(t)}function*Xn(e){switch(e.kind){case"file":for(let t of e.messages)yield t,yield*Xn(t);yield*e.enums,yield*e.services,yield*e.extensions;break;case"message":for(let t of e.nestedMessages)yield t,yield*Xn(t);yield*e.nestedEnums,yield*e.nestedExtensions;break}}var rs;function Td(e){var t;rs=Object.assign(Object.assign({},e),{encodeUtf8Into:(t=e.encodeUtf8Into)!==null&&t!==void 0?t:is(e.encodeUtf8.bind(e))})}function us(){if(!rs){let e=globalThis;if(!e.TextEncoder||!e.TextDecoder)throw new Error("encoding API missing: install TextEncoder and TextDecoder on globalThis");let t=new e.TextEncoder,n=new e.TextDecoder("utf-8",{ignoreBOM:!0}),s,o={encodeUtf8(r){return t.encode(r)},decodeUtf8(r,i){return i?(s||(s=new e.TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0})),s.decode(r)):n.decode(r)},checkUtf8(r){try{return encodeURIComponent(r),!0}catch{return!1}}};t.encodeInto&&(o.encodeUtf8Into=t.encodeInto.bind(t));let a=String.prototype.isWellFormed;a&&(o.checkUtf8=r=>a.call(r)),Td(o)}return rs}function is(e){return(t,n)=>{let s=e(t);return n.set(s),{written:s.byteLength}}}var $;(function(e){e[e.Varint=0]="Varint",e[e.Bit64=1]="Bit64",e[e.LengthDelimited=2]="LengthDelimited",e[e.StartGroup=3]="StartGroup",e[e.EndGroup=4]="EndGroup",e[e.Bit32=5]="Bit32"})($||($={}));var Nd=4294967295,Id=2147483647,Dd=-2147483648,Xe=class{constructor(t){this.stackPos=[],this.encodeUtf8Into=t?is(t):us().encodeUtf8Into,this.buffer=Ha,this.viewCache=Od,this.pos=0}ensureCapacity(t){let n=this.pos+t;if(n>this.buffer.length){let s=this.buffer.length||Md;for(;s<n;)s*=2;let o=new Uint8Array(s);this.pos>0&&o.set(this.buffer),this.buffer=o}}view(){let t=this.buffer,n=this.viewCache;if(n.byteLength===t.byteLength)return n;let s=new DataView(t.buffer);return this.viewCache=s,s}finish(){let t=this.buffer.slice(0,this.pos);return this.pos=0,this.stackPos=[],t}fork(){return this.stackPos.push(this.pos),this.ensureCapacity(sn),this.buffer[this.pos++]=0,this}join(){let t=this.stackPos.pop();if(t===void 0)throw new Error("invalid state, fork stack empty");let n=this.pos-t-sn,s=cs(n);return s>sn&&(this.ensureCapacity(s-sn),this.buffer.copyWithin(t+s,t+sn,this.pos)),this.pos=t,this.uint32(n),this.pos+=n,this}tag(t,n){return this.uint32((t<<3|n)>>>0)}raw(t){return this.ensureCapacity(t.length),this.buffer.set(t,this.pos),this.pos+=t.length,this}uint32(t){if(Ba(t),this.ensureCapacity(5),t<128)return this.buffer[this.pos++]=t,this;for(;t>127;)this.buffer[this.pos++]=t&127|128,t>>>=7;return this.buffer[this.pos++]=t,this}int32(t){if(ds(t),t>=0)return this.uint32(t);this.ensureCapacity(10);for(let n=0;n<9;n++)this.buffer[this.pos++]=t&127|128,t>>=7;return this.buffer[this.pos++]=1,this}bool(t){return this.ensureCapacity(1),this.buffer[this.pos++]=t?1:0,this}bytes(t){return this.uint32(t.byteLength),this.raw(t)}string(t){typeof t!="string"&&(t=String(t));let n=t.length;if(n<=qa){this.ensureCapacity(n+1);let c=this.buffer,d=this.pos;c[d++]=n;let p=0;for(;p<n;p++){let m=t.charCodeAt(p);if(m>127)break;c[d++]=m}if(p==n)return this.pos=d,this}this.ensureCapacity(n*3+5);let s=cs(n),o=this.buffer,a=this.pos,{written:r}=this.encodeUtf8Into(t,o.subarray(a+s)),i=cs(r);return i!=s&&o.copyWithin(a+i,a+s,a+s+r),this.uint32(r),this.pos+=r,this}float(t){return Cd(t),this.ensureCapacity(4),this.view().setFloat32(this.pos,t,!0),this.pos+=4,this}double(t){return this.ensureCapacity(8),this.view().setFloat64(this.pos,t,!0),this.pos+=8,this}fixed32(t){return Ba(t),this.ensureCapacity(4),this.view().setUint32(this.pos,t,!0),this.pos+=4,this}sfixed32(t){return ds(t),this.ensureCapacity(4),this.view().setInt32(this.pos,t,!0),this.pos+=4,this}sint32(t){return ds(t),this.uint32((t<<1^t>>31)>>>0)}sfixed64(t){let n=ne.enc(t);this.ensureCapacity(8);let s=this.view();return s.setInt32(this.pos,n.lo,!0),s.setInt32(this.pos+4,n.hi,!0),this.pos+=8,this}fixed64(t){let n=ne.uEnc(t);this.ensureCapacity(8);let s=this.view();return s.setInt32(this.pos,n.lo,!0),s.setInt32(this.pos+4,n.hi,!0),this.pos+=8,this}int64(t){let n=ne.enc(t);return this.writeVarint64(n.lo,n.hi)}sint64(t){let n=ne.enc(t),s=n.hi>>31,o=n.lo<<1^s,a=(n.hi<<1|n.lo>>>31)^s;return this.writeVarint64(o,a)}uint64(t){let n=ne.uEnc(t);return this.writeVarint64(n.lo,n.hi)}writeVarint64(t,n){this.ensureCapacity(10);let s=this.buffer,o=this.pos;for(let i=0;i<28;i=i+7){let c=t>>>i,d=!(!(c>>>7)&&n==0);if(s[o++]=(d?c|128:c)&255,!d)return this.pos=o,this}let a=t>>>28&15|(n&7)<<4,r=n>>3!=0;if(s[o++]=(r?a|128:a)&255,!r)return this.pos=o,this;for(let i=3;i<31;i=i+7){let c=n>>>i,d=!!(c>>>7);if(s[o++]=(d?c|128:c)&255,!d)return this.pos=o,this}return s[o++]=n>>>31&1,this.pos=o,this}},Md=128,sn=1,Ha=new Uint8Array(0),Od=new DataView(Ha.buffer),qa=32;function cs(e){return e<128?1:e<16384?2:e<2097152?3:e<268435456?4:5}var Ee=class{constructor(t,n=us().decodeUtf8){this.decodeUtf8=n,this.varint64Lo=0,this.varint64Hi=0,this.varint64=pa,this.uint32=ha,this.buf=t,this.len=t.length,this.pos=0,this.view=new DataView(t.buffer,t.byteOffset,t.byteLength)}tag(){let t=this.pos,n=this.uint32(),s=this.pos-t;if(s>5||s==5&&this.buf[this.pos-1]>15)throw new Error("illegal tag: varint overflows uint32");let o=n>>>3,a=n&7;if(o<=0||a>5)throw new Error("illegal tag: field no "+o+" wire type "+a);return[o,a]}skip(t,n,s=100){let o=this.pos;switch(t){case $.Varint:for(;this.buf[this.pos++]&128;);break;case $.Bit64:this.pos+=4;case $.Bit32:this.pos+=4;break;case $.LengthDelimited:let a=this.uint32();this.pos+=a;break;case $.StartGroup:if(s<=0)throw new Error("maximum recursion depth reached");for(;;){let[r,i]=this.tag();if(i===$.EndGroup){if(n!==void 0&&r!==n)throw new Error("invalid end group tag");break}this.skip(i,r,s-1)}break;default:throw new Error("cant skip wire type "+t)}return this.assertBounds(),this.buf.subarray(o,this.pos)}assertBounds(){if(this.pos>this.len)throw new RangeError("premature EOF")}int32(){return this.uint32()|0}sint32(){let t=this.uint32();return t>>>1^-(t&1)}int64(){return this.varint64(),ne.dec(this.varint64Lo,this.varint64Hi)}uint64(){return this.varint64(),ne.uDec(this.varint64Lo,this.varint64Hi)}sint64(){this.varint64();let t=this.varint64Lo,n=this.varint64Hi,s=-(t&1);return t=(t>>>1|(n&1)<<31)^s,n=n>>>1^s,ne.dec(t,n)}bool(){let t=this.buf[this.pos];return t<128?(this.pos++,t!==0):(this.varint64(),this.varint64Lo!==0||this.varint64Hi!==0)}fixed32(){return this.view.getUint32((this.pos+=4)-4,!0)}sfixed32(){return this.view.getInt32((this.pos+=4)-4,!0)}fixed64(){return ne.uDec(this.sfixed32(),this.sfixed32())}sfixed64(){return ne.dec(this.sfixed32(),this.sfixed32())}float(){return this.view.getFloat32((this.pos+=4)-4,!0)}double(){return this.view.getFloat64((this.pos+=8)-8,!0)}bytes(){let t=this.uint32(),n=this.pos;return this.pos+=t,this.assertBounds(),this.buf.subarray(n,n+t)}string(t){let n=this.uint32(),s=this.pos;this.pos+=n,this.assertBounds();let o=this.buf;if(n<=qa){let a=new Array(n);for(let r=0;r<n;r++){let i=o[s+r];if(i>127)return this.decodeUtf8(o.subarray(s,this.pos),t);a[r]=i}return String.fromCharCode.apply(String,a)}return this.decodeUtf8(o.subarray(s,this.pos),t)}};function ds(e){if(typeof e=="string")e=Number(e);else if(typeof e!="number")throw new Error("invalid int32: "+typeof e);if(!Number.isInteger(e)||e>Id||e<Dd)throw new Error("invalid int32: "+e)}function Ba(e){if(typeof e=="string")e=Number(e);else if(typeof e!="number")throw new Error("invalid uint32: "+typeof e);if(!Number.isInteger(e)||e>Nd||e<0)throw new Error("invalid uint32: "+e)}function Cd(e){if(typeof e=="string"){let t=e;if(e=Number(e),Number.isNaN(e)&&t!=="NaN")throw new Error("invalid float32: "+t)}else if(typeof e!="number")throw new Error("invalid float32: "+typeof e);if(!Number.isFinite(Math.fround(e))&&Number.isFinite(e))throw new Error("invalid float32: "+e)}function Yn(e,t){return Ld([e,t])}function Ld(e,t){let n=Gd();if(!e.length)return n;if("$typeName"in e[0]&&e[0].$typeName=="google.protobuf.FileDescriptorSet"){for(let s of e[0].file)t?.(s),Fa(s,n);return n}if("$typeName"in e[0]){let r=function(i){let c=[];for(let d of i.dependency){if(n.getFile(d)!=null||a.has(d))continue;let p=o(d);if(!p)throw new Error(`Unable to resolve ${d}, imported by ${i.name}`);"kind"in p?n.addFile(p,!1,!0):(a.add(p.name),c.push(p))}return c.concat(...c.map(r))},s=e[0],o=e[1],a=new Set;for(let i of[s,...r(s)].reverse())t?.(i),Fa(i,n)}else for(let s of e)for(let o of s.files)n.addFile(o);return n}function Gd(){let e=new Map,t=new Map,n=new Map;return{kind:"registry",types:e,extendees:t,[Symbol.iterator](){return e.values()},get files(){return n.values()},addFile(s,o,a){if(n.set(s.proto.name,s),!o)for(let r of Xn(s))this.add(r);if(a)for(let r of s.dependencies)this.addFile(r,o,a)},add(s){if(s.kind=="extension"){let o=t.get(s.extendee.typeName);o||t.set(s.extendee.typeName,o=new Map),o.set(s.number,s)}e.set(s.typeName,s)},get(s){return e.get(s)},getFile(s){return n.get(s)},getMessage(s){let o=e.get(s);return o?.kind=="message"?o:void 0},getEnum(s){let o=e.get(s);return o?.kind=="enum"?o:void 0},getExtension(s){let o=e.get(s);return o?.kind=="extension"?o:void 0},getExtensionFor(s,o){var a;return(a=t.get(s.typeName))===null||a===void 0?void 0:a.get(o)},getService(s){let o=e.get(s);return o?.kind=="service"?o:void 0}}}var Pd=998,Ud=999,Bd=9999,Hd=9,an=10,on=11,qd=12,$a=14,gs=3,$d=2,Wa=1,Wd=0,ls=1,Va=2,Vd=3,Fd=1,Kd=2,jd=1,zd=2;var Jd=1002,ja={998:{fieldPresence:1,enumType:2,repeatedFieldEncoding:2,utf8Validation:3,messageEncoding:1,jsonFormat:2,enforceNamingStyle:2,defaultSymbolVisibility:1,enforceProtoLimits:1},999:{fieldPresence:2,enumType:1,repeatedFieldEncoding:1,utf8Validation:2,messageEncoding:1,jsonFormat:1,enforceNamingStyle:2,defaultSymbolVisibility:1,enforceProtoLimits:1},1e3:{fieldPresence:1,enumType:1,repeatedFieldEncoding:1,utf8Validation:2,messageEncoding:1,jsonFormat:1,enforceNamingStyle:2,defaultSymbolVisibility:1,enforceProtoLimits:1},1001:{fieldPresence:1,enumType:1,repeatedFieldEncoding:1,utf8Validation:2,messageEncoding:1,jsonFormat:1,enforceNamingStyle:1,defaultSymbolVisibility:2,enforceProtoLimits:1},1002:{fieldPresence:1,enumType:1,repeatedFieldEncoding:1,utf8Validation:2,messageEncoding:1,jsonFormat:1,enforceNamingStyle:3,defaultSymbolVisibility:4,enforceProtoLimits:2}};function Fa(e,t){var n,s;let o={kind:"file",proto:e,deprecated:(s=(n=e.options)===null||n===void 0?void 0:n.deprecated)!==null&&s!==void 0?s:!1,edition:Qd(e),name:e.name.replace(/\.proto$/,""),dependencies:el(e,t),enums:[],messages:[],extensions:[],services:[],toString(){return`file ${e.name}`}},a=new Map,r={get(i){return a.get(i)},add(i){var c;Ae(((c=i.proto.options)===null||c===void 0?void 0:c.mapEntry)===!0),a.set(i.typeName,i)}};for(let i of e.enumType)za(i,o,void 0,t);for(let i of e.messageType)Ja(i,o,void 0,t,r);for(let i of e.service)Xd(i,o,t);ps(o,t);for(let i of a.values())fs(i,t,r);for(let i of o.messages)fs(i,t,r),ps(i,t);t.addFile(o,!0)}function ps(e,t){switch(e.kind){case"file":for(let n of e.proto.extension){let s=ms(n,e,t);e.extensions.push(s),t.add(s)}break;case"message":for(let n of e.proto.extension){let s=ms(n,e,t);e.nestedExtensions.push(s),t.add(s)}for(let n of e.nestedMessages)ps(n,t);break}}function fs(e,t,n){let s=e.proto.oneofDecl.map(a=>Zd(a,e)),o=new Set;for(let a of e.proto.field){let r=ol(a,s),i=ms(a,e,t,r,n);e.fields.push(i),e.field[i.localName]=i,r===void 0?e.members.push(i):(r.fields.push(i),o.has(r)||(o.add(r),e.members.push(r)))}for(let a of s.filter(r=>o.has(r)))e.oneofs.push(a);for(let a of e.nestedMessages)fs(a,t,n)}function za(e,t,n,s){var o,a,r,i,c,d,p,m,h;let f=tl(e.name,e.value),g={kind:"enum",proto:e,deprecated:(a=(o=e.options)===null||o===void 0?void 0:o.deprecated)!==null&&a!==void 0?a:!1,file:t,parent:n,open:!0,name:e.name,typeName:Zn(e,n,t),value:{},values:[],sharedPrefix:f,toString(){return`enum ${this.typeName}`}};g.open=il(g),s.add(g);for(let b of e.value){let y=b.name,v={kind:"enum_value",proto:b,deprecated:(i=(r=b.options)===null||r===void 0?void 0:r.deprecated)!==null&&i!==void 0?i:!1,parent:g,name:y,localName:Gt(f==null?y:y.substring(f.length)),number:b.number,jsonName:(c=nl(b))!==null&&c!==void 0?c:y,toString(){return`enum value ${g.typeName}.${y}`}};g.values.push(v),(d=(m=g.value)[h=b.number])!==null&&d!==void 0||(m[h]=v)}((p=n?.nestedEnums)!==null&&p!==void 0?p:t.enums).push(g)}function Ja(e,t,n,s,o){var a,r,i,c;let d={kind:"message",proto:e,deprecated:(r=(a=e.options)===null||a===void 0?void 0:a.deprecated)!==null&&r!==void 0?r:!1,file:t,parent:n,name:e.name,typeName:Zn(e,n,t),fields:[],field:{},oneofs:[],members:[],nestedEnums:[],nestedMessages:[],nestedExtensions:[],toString(){return`message ${this.typeName}`}};((i=e.options)===null||i===void 0?void 0:i.mapEntry)===!0?o.add(d):(((c=n?.nestedMessages)!==null&&c!==void 0?c:t.messages).push(d),s.add(d));for(let p of e.enumType)za(p,t,d,s);for(let p of e.nestedType)Ja(p,t,d,s,o)}function Xd(e,t,n){var s,o;let a={kind:"service",proto:e,deprecated:(o=(s=e.options)===null||s===void 0?void 0:s.deprecated)!==null&&o!==void 0?o:!1,file:t,name:e.name,typeName:Zn(e,void 0,t),methods:[],method:{},toString(){return`service ${this.typeName}`}};t.services.push(a),n.add(a);for(let r of e.method){let i=Yd(r,a,n);a.methods.push(i),a.method[i.localName]=i}}function Yd(e,t,n){var s,o,a,r;let i;e.clientStreaming&&e.serverStreaming?i="bidi_streaming":e.clientStreaming?i="client_streaming":e.serverStreaming?i="server_streaming":i="unary";let c=n.getMessage(Ge(e.inputType)),d=n.getMessage(Ge(e.outputType));Ae(c,`invalid MethodDescriptorProto: input_type ${e.inputType} not found`),Ae(d,`invalid MethodDescriptorProto: output_type ${e.inputType} not found`);let p=e.name;return{kind:"rpc",proto:e,deprecated:(o=(s=e.options)===null||s===void 0?void 0:s.deprecated)!==null&&o!==void 0?o:!1,parent:t,name:p,localName:Gt(p.length?Gt(p[0].toLowerCase()+p.substring(1)):p),methodKind:i,input:c,output:d,idempotency:(r=(a=e.options)===null||a===void 0?void 0:a.idempotencyLevel)!==null&&r!==void 0?r:Wd,toString(){return`rpc ${t.typeName}.${p}`}}}function Zd(e,t){return{kind:"oneof",proto:e,deprecated:!1,parent:t,fields:[],name:e.name,localName:Gt(Le(e.name)),toString(){return`oneof ${t.typeName}.${this.name}`}}}function ms(e,t,n,s,o){var a,r,i;let c=o===void 0,d={kind:"field",proto:e,deprecated:(r=(a=e.options)===null||a===void 0?void 0:a.deprecated)!==null&&r!==void 0?r:!1,name:e.name,number:e.number,scalar:void 0,message:void 0,enum:void 0,presence:al(e,s,c,t),utf8Validation:cl(e,t),listKind:void 0,mapKind:void 0,mapKey:void 0,delimitedEncoding:void 0,packed:void 0,longAsString:!1,getDefaultValue:void 0},p;if(c){let g=t.kind=="file"?t:t.file,b=t.kind=="file"?void 0:t,y=Zn(e,b,g);d.kind="extension",d.file=g,d.parent=b,d.oneof=void 0,d.typeName=y,d.jsonName=`[${y}]`,p=()=>`extension ${y}`;let v=n.getMessage(Ge(e.extendee));Ae(v,`invalid FieldDescriptorProto: extendee ${e.extendee} not found`),d.extendee=v}else{let g=t;Ae(g.kind=="message"),d.parent=g,d.oneof=s,d.localName=s?Le(e.name):Gt(Le(e.name)),d.jsonName=e.jsonName,p=()=>`field ${g.typeName}.${e.name}`}Object.defineProperty(d,"toString",{value:p,writable:!0,enumerable:!0,configurable:!0});let m=e.label,h=e.type,f=(i=e.options)===null||i===void 0?void 0:i.jstype;if(m===gs){let g=h==on?o?.get(Ge(e.typeName)):void 0;if(g){d.fieldKind="map";let{key:b,value:y}=ul(g);return d.mapKey=b.scalar,d.mapKind=y.fieldKind,d.message=y.message,d.delimitedEncoding=!1,d.enum=y.enum,d.scalar=y.scalar,d}switch(d.fieldKind="list",h){case on:case an:d.listKind="message",d.message=n.getMessage(Ge(e.typeName)),Ae(d.message),d.delimitedEncoding=Ka(e,t);break;case $a:d.listKind="enum",d.enum=n.getEnum(Ge(e.typeName)),Ae(d.enum);break;default:d.listKind="scalar",d.scalar=h,d.longAsString=f==Wa;break}return d.packed=rl(e,t),d}switch(h){case on:case an:d.fieldKind="message",d.message=n.getMessage(Ge(e.typeName)),Ae(d.message,`invalid FieldDescriptorProto: type_name ${e.typeName} not found`),d.delimitedEncoding=Ka(e,t),d.getDefaultValue=()=>{};break;case $a:{let g=n.getEnum(Ge(e.typeName));Ae(g!==void 0,`invalid FieldDescriptorProto: type_name ${e.typeName} not found`),d.fieldKind="enum",d.enum=n.getEnum(Ge(e.typeName)),d.getDefaultValue=()=>pt(e,"defaultValue")?Pa(g,e.defaultValue):void 0;break}default:{d.fieldKind="scalar",d.scalar=h,d.longAsString=f==Wa,d.getDefaultValue=()=>pt(e,"defaultValue")?Ua(h,e.defaultValue):void 0;break}}return d}function Qd(e){switch(e.syntax){case"":case"proto2":return Pd;case"proto3":return Ud;case"editions":if(e.edition===Bd)return Jd;if(e.edition in ja)return e.edition;throw new Error(`${e.name}: unsupported edition`);default:throw new Error(`${e.name}: unsupported syntax "${e.syntax}"`)}}function el(e,t){return e.dependency.map(n=>{let s=t.getFile(n);if(!s)throw new Error(`Cannot find ${n}, imported by ${e.name}`);return s})}function tl(e,t){let n=sl(e)+"_";for(let s of t){if(!s.name.toLowerCase().startsWith(n))return;let o=s.name.substring(n.length);if(o.length==0||/^\d/.test(o))return}return n}function nl(e){var t,n;let a;for(let r of(n=(t=e.options)===null||t===void 0?void 0:t.$unknown)!==null&&n!==void 0?n:[]){if(r.no!==998||r.wireType!==$.LengthDelimited)continue;let i=new Ee(new Ee(r.data).bytes());for(;i.pos<i.len;){let[c,d]=i.tag();c===1&&d===$.LengthDelimited?a=i.string():i.skip(d,c)}}return a}function sl(e){return(e.substring(0,1)+e.substring(1).replace(/[A-Z]/g,t=>"_"+t)).toLowerCase()}function Zn(e,t,n){let s;return t?s=`${t.typeName}.${e.name}`:n.proto.package.length>0?s=`${n.proto.package}.${e.name}`:s=`${e.name}`,s}function Ge(e){return e.startsWith(".")?e.substring(1):e}function ol(e,t){if(!pt(e,"oneofIndex")||e.proto3Optional)return;let n=t[e.oneofIndex];return Ae(n,`invalid FieldDescriptorProto: oneof #${e.oneofIndex} for field #${e.number} not found`),n}function al(e,t,n,s){if(e.label==$d)return Vd;if(e.label==gs)return Va;if(t||e.proto3Optional||n)return ls;let o=gt("fieldPresence",{proto:e,parent:s});return o==Va&&(e.type==on||e.type==an)?ls:o}function rl(e,t){if(e.label!=gs)return!1;switch(e.type){case Hd:case qd:case an:case on:return!1}let n=e.options;return n&&pt(n,"packed")?n.packed:Fd==gt("repeatedFieldEncoding",{proto:e,parent:t})}function ul(e){let t=e.fields.find(s=>s.number===1),n=e.fields.find(s=>s.number===2);return Ae(t&&t.fieldKind=="scalar"&&t.scalar!=E.BYTES&&t.scalar!=E.FLOAT&&t.scalar!=E.DOUBLE&&n&&n.fieldKind!="list"&&n.fieldKind!="map"),{key:t,value:n}}function il(e){var t;return jd==gt("enumType",{proto:e.proto,parent:(t=e.parent)!==null&&t!==void 0?t:e.file})}function Ka(e,t){return e.type==an?!0:Kd==gt("messageEncoding",{proto:e,parent:t})}function cl(e,t){return zd==gt("utf8Validation",{proto:e,parent:t})}function gt(e,t){var n,s;let o=(n=t.proto.options)===null||n===void 0?void 0:n.features;if(o){let a=o[e];if(a!=0)return a}if("kind"in t){if(t.kind=="message")return gt(e,(s=t.parent)!==null&&s!==void 0?s:t.file);let a=ja[t.edition];if(!a)throw new Error(`feature default for edition ${t.edition} not found`);return a[e]}return gt(e,t.parent)}function Ae(e,t){if(!e)throw new Error(t)}function Xa(e){let t=dl(e);return t.messageType.forEach(nn),Yn(t,()=>{}).getFile(t.name)}function dl(e){return Object.assign(Object.create({syntax:"",edition:0}),Object.assign(Object.assign({$typeName:"google.protobuf.FileDescriptorProto",dependency:[],publicDependency:[],weakDependency:[],optionDependency:[],service:[],extension:[]},e),{messageType:e.messageType.map(Ya),enumType:e.enumType.map(Za)}))}function Ya(e){var t,n,s,o,a,r,i,c;return Object.assign(Object.create({visibility:0}),{$typeName:"google.protobuf.DescriptorProto",name:e.name,field:(n=(t=e.field)===null||t===void 0?void 0:t.map(ll))!==null&&n!==void 0?n:[],extension:[],nestedType:(o=(s=e.nestedType)===null||s===void 0?void 0:s.map(Ya))!==null&&o!==void 0?o:[],enumType:(r=(a=e.enumType)===null||a===void 0?void 0:a.map(Za))!==null&&r!==void 0?r:[],extensionRange:(c=(i=e.extensionRange)===null||i===void 0?void 0:i.map(p=>Object.assign({$typeName:"google.protobuf.DescriptorProto.ExtensionRange"},p)))!==null&&c!==void 0?c:[],oneofDecl:[],reservedRange:[],reservedName:[]})}function ll(e){return Object.assign(Object.create({label:1,typeName:"",extendee:"",defaultValue:"",oneofIndex:0,jsonName:"",proto3Optional:!1}),Object.assign(Object.assign({$typeName:"google.protobuf.FieldDescriptorProto"},e),{options:e.options?pl(e.options):void 0}))}function pl(e){var t,n,s;return Object.assign(Object.create({ctype:0,packed:!1,jstype:0,lazy:!1,unverifiedLazy:!1,deprecated:!1,weak:!1,debugRedact:!1,retention:0}),Object.assign(Object.assign({$typeName:"google.protobuf.FieldOptions"},e),{targets:(t=e.targets)!==null&&t!==void 0?t:[],editionDefaults:(s=(n=e.editionDefaults)===null||n===void 0?void 0:n.map(a=>Object.assign({$typeName:"google.protobuf.FieldOptions.EditionDefault"},a)))!==null&&s!==void 0?s:[],uninterpretedOption:[]}))}function Za(e){return Object.assign(Object.create({visibility:0}),{$typeName:"google.protobuf.EnumDescriptorProto",name:e.name,reservedName:[],reservedRange:[],value:e.value.map(n=>Object.assign({$typeName:"google.protobuf.EnumValueDescriptorProto"},n))})}function F(e,t,...n){return n.reduce((s,o)=>s.nestedMessages[o],e.messages[t])}var fl=Xa({name:"google/protobuf/descriptor.proto",package:"google.protobuf",enumType:[{name:"Edition",value:[{name:"EDITION_UNKNOWN",number:0},{name:"EDITION_LEGACY",number:900},{name:"EDITION_PROTO2",number:998},{name:"EDITION_PROTO3",number:999},{name:"EDITION_2023",number:1e3},{name:"EDITION_2024",number:1001},{name:"EDITION_2026",number:1002},{name:"EDITION_UNSTABLE",number:9999},{name:"EDITION_1_TEST_ONLY",number:1},{name:"EDITION_2_TEST_ONLY",number:2},{name:"EDITION_99997_TEST_ONLY",number:99997},{name:"EDITION_99998_TEST_ONLY",number:99998},{name:"EDITION_99999_TEST_ONLY",number:99999},{name:"EDITION_MAX",number:2147483647}]},{name:"SymbolVisibility",value:[{name:"VISIBILITY_UNSET",number:0},{name:"VISIBILITY_LOCAL",number:1},{name:"VISIBILITY_EXPORT",number:2}]}],messageType:[{name:"FileDescriptorSet",field:[],nestedType:[],enumType:[]},{name:"FileDescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"package",number:2,type:9,label:1},{name:"dependency",number:3,type:9,label:3},{name:"public_dependency",number:10,type:5,label:3},{name:"weak_dependency",number:11,type:5,label:3},{name:"option_dependency",number:15,type:9,label:3},{name:"message_type",number:4,type:11,label:3,typeName:".google.protobuf.DescriptorProto"},{name:"enum_type",number:5,type:11,label:3,typeName:".google.protobuf.EnumDescriptorProto"},{name:"service",number:6,type:11,label:3,typeName:".google.protobuf.ServiceDescriptorProto"},{name:"extension",number:7,type:11,label:3,typeName:".google.protobuf.FieldDescriptorProto"},{name:"options",number:8,type:11,label:1,typeName:".google.protobuf.FileOptions"},{name:"syntax",number:12,type:9,label:1},{name:"edition",number:14,type:14,label:1,typeName:".google.protobuf.Edition"}],nestedType:[],enumType:[]},{name:"DescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"field",number:2,type:11,label:3,typeName:".google.protobuf.FieldDescriptorProto"},{name:"extension",number:6,type:11,label:3,typeName:".google.protobuf.FieldDescriptorProto"},{name:"nested_type",number:3,type:11,label:3,typeName:".google.protobuf.DescriptorProto"},{name:"enum_type",number:4,type:11,label:3,typeName:".google.protobuf.EnumDescriptorProto"},{name:"extension_range",number:5,type:11,label:3,typeName:".google.protobuf.DescriptorProto.ExtensionRange"},{name:"oneof_decl",number:8,type:11,label:3,typeName:".google.protobuf.OneofDescriptorProto"},{name:"options",number:7,type:11,label:1,typeName:".google.protobuf.MessageOptions"}],nestedType:[{name:"ExtensionRange",field:[],nestedType:[],enumType:[]},{name:"ReservedRange",field:[],nestedType:[],enumType:[]}],enumType:[]},{name:"ExtensionRangeOptions",field:[],nestedType:[{name:"Declaration",field:[],nestedType:[],enumType:[]}],enumType:[{name:"VerificationState",value:[]}]},{name:"FieldDescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"number",number:3,type:5,label:1},{name:"label",number:4,type:14,label:1,typeName:".google.protobuf.FieldDescriptorProto.Label"},{name:"type",number:5,type:14,label:1,typeName:".google.protobuf.FieldDescriptorProto.Type"},{name:"type_name",number:6,type:9,label:1},{name:"extendee",number:2,type:9,label:1},{name:"default_value",number:7,type:9,label:1},{name:"oneof_index",number:9,type:5,label:1},{name:"json_name",number:10,type:9,label:1},{name:"options",number:8,type:11,label:1,typeName:".google.protobuf.FieldOptions"},{name:"proto3_optional",number:17,type:8,label:1}],nestedType:[],enumType:[{name:"Type",value:[{name:"TYPE_DOUBLE",number:1},{name:"TYPE_FLOAT",number:2},{name:"TYPE_INT64",number:3},{name:"TYPE_UINT64",number:4},{name:"TYPE_INT32",number:5},{name:"TYPE_FIXED64",number:6},{name:"TYPE_FIXED32",number:7},{name:"TYPE_BOOL",number:8},{name:"TYPE_STRING",number:9},{name:"TYPE_GROUP",number:10},{name:"TYPE_MESSAGE",number:11},{name:"TYPE_BYTES",number:12},{name:"TYPE_UINT32",number:13},{name:"TYPE_ENUM",number:14},{name:"TYPE_SFIXED32",number:15},{name:"TYPE_SFIXED64",number:16},{name:"TYPE_SINT32",number:17},{name:"TYPE_SINT64",number:18}]},{name:"Label",value:[{name:"LABEL_OPTIONAL",number:1},{name:"LABEL_REPEATED",number:3},{name:"LABEL_REQUIRED",number:2}]}]},{name:"OneofDescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"options",number:2,type:11,label:1,typeName:".google.protobuf.OneofOptions"}],nestedType:[],enumType:[]},{name:"EnumDescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"value",number:2,type:11,label:3,typeName:".google.protobuf.EnumValueDescriptorProto"},{name:"options",number:3,type:11,label:1,typeName:".google.protobuf.EnumOptions"}],nestedType:[{name:"EnumReservedRange",field:[],nestedType:[],enumType:[]}],enumType:[]},{name:"EnumValueDescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"number",number:2,type:5,label:1},{name:"options",number:3,type:11,label:1,typeName:".google.protobuf.EnumValueOptions"}],nestedType:[],enumType:[]},{name:"ServiceDescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"method",number:2,type:11,label:3,typeName:".google.protobuf.MethodDescriptorProto"},{name:"options",number:3,type:11,label:1,typeName:".google.protobuf.ServiceOptions"}],nestedType:[],enumType:[]},{name:"MethodDescriptorProto",field:[{name:"name",number:1,type:9,label:1},{name:"input_type",number:2,type:9,label:1},{name:"output_type",number:3,type:9,label:1},{name:"options",number:4,type:11,label:1,typeName:".google.protobuf.MethodOptions"},{name:"client_streaming",number:5,type:8,label:1},{name:"server_streaming",number:6,type:8,label:1}],nestedType:[],enumType:[]},{name:"FileOptions",field:[],nestedType:[],enumType:[{name:"OptimizeMode",value:[]}]},{name:"MessageOptions",field:[{name:"map_entry",number:7,type:8,label:1}],nestedType:[],enumType:[]},{name:"FieldOptions",field:[],nestedType:[{name:"EditionDefault",field:[],nestedType:[],enumType:[]},{name:"FeatureSupport",field:[],nestedType:[],enumType:[]}],enumType:[{name:"CType",value:[]},{name:"JSType",value:[]},{name:"OptionRetention",value:[]},{name:"OptionTargetType",value:[]}]},{name:"OneofOptions",field:[],nestedType:[],enumType:[]},{name:"EnumOptions",field:[],nestedType:[],enumType:[]},{name:"EnumValueOptions",field:[],nestedType:[],enumType:[]},{name:"ServiceOptions",field:[],nestedType:[],enumType:[]},{name:"MethodOptions",field:[],nestedType:[],enumType:[{name:"IdempotencyLevel",value:[]}]},{name:"UninterpretedOption",field:[],nestedType:[{name:"NamePart",field:[],nestedType:[],enumType:[]}],enumType:[]},{name:"FeatureSet",field:[],nestedType:[{name:"VisibilityFeature",field:[],nestedType:[],enumType:[{name:"DefaultSymbolVisibility",value:[]}]},{name:"ProtoLimitsFeature",field:[],nestedType:[],enumType:[{name:"EnforceProtoLimits",value:[]}]}],enumType:[{name:"FieldPresence",value:[]},{name:"EnumType",value:[]},{name:"RepeatedFieldEncoding",value:[]},{name:"Utf8Validation",value:[]},{name:"MessageEncoding",value:[]},{name:"JsonFormat",value:[]},{name:"EnforceNamingStyle",value:[]}]},{name:"FeatureSetDefaults",field:[],nestedType:[{name:"FeatureSetEditionDefault",field:[],nestedType:[],enumType:[]}],enumType:[]},{name:"SourceCodeInfo",field:[],nestedType:[{name:"Location",field:[],nestedType:[],enumType:[]}],enumType:[]},{name:"GeneratedCodeInfo",field:[],nestedType:[{name:"Annotation",field:[],nestedType:[],enumType:[{name:"Semantic",value:[]}]}],enumType:[]}]});var Er=F(fl,1);var Qa;(function(e){e[e.DECLARATION=0]="DECLARATION",e[e.UNVERIFIED=1]="UNVERIFIED"})(Qa||(Qa={}));var er;(function(e){e[e.DOUBLE=1]="DOUBLE",e[e.FLOAT=2]="FLOAT",e[e.INT64=3]="INT64",e[e.UINT64=4]="UINT64",e[e.INT32=5]="INT32",e[e.FIXED64=6]="FIXED64",e[e.FIXED32=7]="FIXED32",e[e.BOOL=8]="BOOL",e[e.STRING=9]="STRING",e[e.GROUP=10]="GROUP",e[e.MESSAGE=11]="MESSAGE",e[e.BYTES=12]="BYTES",e[e.UINT32=13]="UINT32",e[e.ENUM=14]="ENUM",e[e.SFIXED32=15]="SFIXED32",e[e.SFIXED64=16]="SFIXED64",e[e.SINT32=17]="SINT32",e[e.SINT64=18]="SINT64"})(er||(er={}));var tr;(function(e){e[e.OPTIONAL=1]="OPTIONAL",e[e.REPEATED=3]="REPEATED",e[e.REQUIRED=2]="REQUIRED"})(tr||(tr={}));var nr;(function(e){e[e.SPEED=1]="SPEED",e[e.CODE_SIZE=2]="CODE_SIZE",e[e.LITE_RUNTIME=3]="LITE_RUNTIME"})(nr||(nr={}));var sr;(function(e){e[e.STRING=0]="STRING",e[e.CORD=1]="CORD",e[e.STRING_PIECE=2]="STRING_PIECE"})(sr||(sr={}));var or;(function(e){e[e.JS_NORMAL=0]="JS_NORMAL",e[e.JS_STRING=1]="JS_STRING",e[e.JS_NUMBER=2]="JS_NUMBER"})(or||(or={}));var ar;(function(e){e[e.RETENTION_UNKNOWN=0]="RETENTION_UNKNOWN",e[e.RETENTION_RUNTIME=1]="RETENTION_RUNTIME",e[e.RETENTION_SOURCE=2]="RETENTION_SOURCE"})(ar||(ar={}));var rr;(function(e){e[e.TARGET_TYPE_UNKNOWN=0]="TARGET_TYPE_UNKNOWN",e[e.TARGET_TYPE_FILE=1]="TARGET_TYPE_FILE",e[e.TARGET_TYPE_EXTENSION_RANGE=2]="TARGET_TYPE_EXTENSION_RANGE",e[e.TARGET_TYPE_MESSAGE=3]="TARGET_TYPE_MESSAGE",e[e.TARGET_TYPE_FIELD=4]="TARGET_TYPE_FIELD",e[e.TARGET_TYPE_ONEOF=5]="TARGET_TYPE_ONEOF",e[e.TARGET_TYPE_ENUM=6]="TARGET_TYPE_ENUM",e[e.TARGET_TYPE_ENUM_ENTRY=7]="TARGET_TYPE_ENUM_ENTRY",e[e.TARGET_TYPE_SERVICE=8]="TARGET_TYPE_SERVICE",e[e.TARGET_TYPE_METHOD=9]="TARGET_TYPE_METHOD"})(rr||(rr={}));var ur;(function(e){e[e.IDEMPOTENCY_UNKNOWN=0]="IDEMPOTENCY_UNKNOWN",e[e.NO_SIDE_EFFECTS=1]="NO_SIDE_EFFECTS",e[e.IDEMPOTENT=2]="IDEMPOTENT"})(ur||(ur={}));var ir;(function(e){e[e.DEFAULT_SYMBOL_VISIBILITY_UNKNOWN=0]="DEFAULT_SYMBOL_VISIBILITY_UNKNOWN",e[e.EXPORT_ALL=1]="EXPORT_ALL",e[e.EXPORT_TOP_LEVEL=2]="EXPORT_TOP_LEVEL",e[e.LOCAL_ALL=3]="LOCAL_ALL",e[e.STRICT=4]="STRICT"})(ir||(ir={}));var cr;(function(e){e[e.PROTO_LIMITS_UNKNOWN=0]="PROTO_LIMITS_UNKNOWN",e[e.LEGACY_NO_EXPLICIT_LIMITS=1]="LEGACY_NO_EXPLICIT_LIMITS",e[e.PROTO_LIMITS2026=2]="PROTO_LIMITS2026"})(cr||(cr={}));var dr;(function(e){e[e.FIELD_PRESENCE_UNKNOWN=0]="FIELD_PRESENCE_UNKNOWN",e[e.EXPLICIT=1]="EXPLICIT",e[e.IMPLICIT=2]="IMPLICIT",e[e.LEGACY_REQUIRED=3]="LEGACY_REQUIRED"})(dr||(dr={}));var lr;(function(e){e[e.ENUM_TYPE_UNKNOWN=0]="ENUM_TYPE_UNKNOWN",e[e.OPEN=1]="OPEN",e[e.CLOSED=2]="CLOSED"})(lr||(lr={}));var pr;(function(e){e[e.REPEATED_FIELD_ENCODING_UNKNOWN=0]="REPEATED_FIELD_ENCODING_UNKNOWN",e[e.PACKED=1]="PACKED",e[e.EXPANDED=2]="EXPANDED"})(pr||(pr={}));var fr;(function(e){e[e.UTF8_VALIDATION_UNKNOWN=0]="UTF8_VALIDATION_UNKNOWN",e[e.VERIFY=2]="VERIFY",e[e.NONE=3]="NONE"})(fr||(fr={}));var mr;(function(e){e[e.MESSAGE_ENCODING_UNKNOWN=0]="MESSAGE_ENCODING_UNKNOWN",e[e.LENGTH_PREFIXED=1]="LENGTH_PREFIXED",e[e.DELIMITED=2]="DELIMITED"})(mr||(mr={}));var gr;(function(e){e[e.JSON_FORMAT_UNKNOWN=0]="JSON_FORMAT_UNKNOWN",e[e.ALLOW=1]="ALLOW",e[e.LEGACY_BEST_EFFORT=2]="LEGACY_BEST_EFFORT"})(gr||(gr={}));var hr;(function(e){e[e.ENFORCE_NAMING_STYLE_UNKNOWN=0]="ENFORCE_NAMING_STYLE_UNKNOWN",e[e.STYLE2024=1]="STYLE2024",e[e.STYLE_LEGACY=2]="STYLE_LEGACY",e[e.STYLE2026=3]="STYLE2026"})(hr||(hr={}));var br;(function(e){e[e.NONE=0]="NONE",e[e.SET=1]="SET",e[e.ALIAS=2]="ALIAS"})(br||(br={}));var yr;(function(e){e[e.EDITION_UNKNOWN=0]="EDITION_UNKNOWN",e[e.EDITION_LEGACY=900]="EDITION_LEGACY",e[e.EDITION_PROTO2=998]="EDITION_PROTO2",e[e.EDITION_PROTO3=999]="EDITION_PROTO3",e[e.EDITION_2023=1e3]="EDITION_2023",e[e.EDITION_2024=1001]="EDITION_2024",e[e.EDITION_2026=1002]="EDITION_2026",e[e.EDITION_UNSTABLE=9999]="EDITION_UNSTABLE",e[e.EDITION_1_TEST_ONLY=1]="EDITION_1_TEST_ONLY",e[e.EDITION_2_TEST_ONLY=2]="EDITION_2_TEST_ONLY",e[e.EDITION_99997_TEST_ONLY=99997]="EDITION_99997_TEST_ONLY",e[e.EDITION_99998_TEST_ONLY=99998]="EDITION_99998_TEST_ONLY",e[e.EDITION_99999_TEST_ONLY=99999]="EDITION_99999_TEST_ONLY",e[e.EDITION_MAX=2147483647]="EDITION_MAX"})(yr||(yr={}));var vr;(function(e){e[e.VISIBILITY_UNSET=0]="VISIBILITY_UNSET",e[e.VISIBILITY_LOCAL=1]="VISIBILITY_LOCAL",e[e.VISIBILITY_EXPORT=2]="VISIBILITY_EXPORT"})(vr||(vr={}));function ml(e){return Object.assign(Object.assign({readUnknownFields:!0,recursionLimit:100},e),{depth:0})}function be(e,t,n){let s=Z(e);return hs(e).read(s,new Ee(t),ml(n),t.byteLength),s}var Sr=new WeakMap;function hs(e){let t=Sr.get(e);return t===void 0&&(t=gl(e)),t}function gl(e){let t=String(e),n=new Map,s={read:hl(t,n),readGroup:bl(t,n)};Sr.set(e,s);for(let o of e.fields)n.set(o.number,yl(o));return s}function hl(e,t){return(n,s,o,a)=>{var r;if(++o.depth>o.recursionLimit)throw new Error(`cannot decode ${e} from binary: maximum recursion depth of ${o.recursionLimit} reached`);let i=s.pos+a,c=(r=n.$unknown)!==null&&r!==void 0?r:[];for(;s.pos<i;){let[d,p]=s.tag(),m=t.get(d);if(m===void 0){let h=s.skip(p,d,o.recursionLimit-o.depth);o.readUnknownFields&&c.push({no:d,wireType:p,data:h});continue}m(n,s,o,p)}c.length>0&&(n.$unknown=c),o.depth--}}function bl(e,t){return(n,s,o,a)=>{var r;if(++o.depth>o.recursionLimit)throw new Error(`cannot decode ${e} from binary: maximum recursion depth of ${o.recursionLimit} reached`);let i,c,d=(r=n.$unknown)!==null&&r!==void 0?r:[];for(;s.pos<s.len&&([i,c]=s.tag(),c!=$.EndGroup);){let p=t.get(i);if(p===void 0){let m=s.skip(c,i,o.recursionLimit-o.depth);o.readUnknownFields&&d.push({no:i,wireType:c,data:m});continue}p(n,s,o,c)}if(c!=$.EndGroup||i!==a)throw new Error("invalid end group tag");d.length>0&&(n.$unknown=d),o.depth--}}function yl(e){switch(e.fieldKind){case"scalar":return vl(e);case"enum":return El(e);case"message":return Sl(e);case"list":return _l(e);case"map":return wl(e)}}function vl(e){let t=Qn(e.scalar,e.utf8Validation,e.longAsString),n=e.localName;if(e.oneof){let s=e.oneof.localName;return(o,a)=>{o[s]={case:n,value:t(a)}}}return(s,o)=>{s[n]=t(o)}}function El(e){var t;let n=e.localName,s=(t=e.oneof)===null||t===void 0?void 0:t.localName;if(e.enum.open)return s!==void 0?(r,i)=>{r[s]={case:n,value:i.int32()}}:(r,i)=>{r[n]=i.int32()};let o=e.enum.values,a=e.number;return(r,i,c,d)=>{var p;let m=i.int32();if(o.some(h=>h.number===m))s!==void 0?r[s]={case:n,value:m}:r[n]=m;else if(c.readUnknownFields){let h=[];ga(m,h);let f=(p=r.$unknown)!==null&&p!==void 0?p:[];f.push({no:a,wireType:d,data:new Uint8Array(h)}),r.$unknown=f}}}function Sl(e){let t=e.localName,{toMessage:n,toLocal:s}=Ne(e),o=_r(e);if(e.oneof){let a=e.oneof.localName;return(r,i,c)=>{let d=r[a],p=n(d.case===t?d.value:void 0);o(p,i,c),r[a]={case:t,value:s(p)}}}return(a,r,i)=>{let c=n(a[t]);o(c,r,i),a[t]=s(c)}}function _r(e){let t=hs(e.message);if(e.delimitedEncoding){let n=e.number;return(s,o,a)=>t.readGroup(s,o,a,n)}return(n,s,o)=>t.read(n,s,o,s.uint32())}function _l(e){let t=e.localName;if(e.listKind=="message"){let{toMessage:r,toLocal:i}=Ne(e),c=_r(e);return(d,p,m)=>{let h=r(void 0);c(h,p,m),d[t].push(i(h))}}let n=e.listKind=="enum"?E.INT32:e.scalar,s=e.listKind=="scalar"?e.longAsString:!1,o=Qn(n,e.utf8Validation,s),a=n!=E.STRING&&n!=E.BYTES;return(r,i,c,d)=>{let p=r[t];if(d==$.LengthDelimited&&a){let m=i.uint32()+i.pos;for(;i.pos<m;)p.push(o(i))}else p.push(o(i))}}function wl(e){let t=e.localName,n=Qn(e.mapKey,e.utf8Validation,!1),s=lt(e.mapKey,!1),o,a;switch(e.mapKind){case"scalar":{let r=e.scalar,i=Qn(r,e.utf8Validation,!1);if(o=c=>i(c),r==E.BYTES)a=()=>new Uint8Array(0);else{let c=lt(r,!1);a=()=>c}break}case"enum":{let r=e.enum.values[0].number;o=i=>i.int32(),a=()=>r;break}case"message":{let{toMessage:r,toLocal:i}=Ne(e),c=hs(e.message).read;o=(d,p,m)=>{let h=r(m);return c(h,d,p,d.uint32()),i(h)},a=()=>i(r(void 0));break}}return(r,i,c)=>{let d=r[t],p,m,h=i.uint32(),f=i.pos+h;for(;i.pos<f;){let[g,b]=i.tag();switch(g){case 1:p=n(i);break;case 2:m=o(i,c,m);break;default:i.skip(b,g,c.recursionLimit-c.depth)}}p===void 0&&(p=s),m===void 0&&(m=a()),ke(d,p,m)}}function Qn(e,t,n){switch(e){case E.STRING:return s=>s.string(t);case E.BOOL:return s=>s.bool();case E.DOUBLE:return s=>s.double();case E.FLOAT:return s=>s.float();case E.INT32:return s=>s.int32();case E.INT64:return n?s=>String(s.int64()):s=>s.int64();case E.UINT64:return n?s=>String(s.uint64()):s=>s.uint64();case E.FIXED64:return n?s=>String(s.fixed64()):s=>s.fixed64();case E.BYTES:return s=>s.bytes();case E.FIXED32:return s=>s.fixed32();case E.SFIXED32:return s=>s.sfixed32();case E.SFIXED64:return n?s=>String(s.sfixed64()):s=>s.sfixed64();case E.SINT64:return n?s=>String(s.sint64()):s=>s.sint64();case E.UINT32:return s=>s.uint32();case E.SINT32:return s=>s.sint32()}}function V(e,t){var n;let s=be(Er,Uint8Array.from(e,a=>a.charCodeAt(0)));return s.messageType.forEach(nn),s.dependency=(n=t?.map(a=>a.proto.name))!==null&&n!==void 0?n:[],Yn(s,a=>t?.find(r=>r.proto.name===a)).getFile(s.name)}var wr=V(`
google/protobuf/any.protogoogle.protobuf"&
Any
\btype_url (	\r
value (\fBv
com.google.protobufB\bAnyProtoPZ,google.golang.org/protobuf/types/known/anypb¢GPBªGoogle.Protobuf.WellKnownTypesbproto3`);var kl=2,Rl=3,kr={writeUnknownFields:!0};function Al(e){return e?Object.assign(Object.assign({},kr),e):kr}function Ie(e,t,n){let s=new Xe;return bs(e)(s,Al(n),t),s.finish()}var Rr=new WeakMap;function bs(e){let t=Rr.get(e);return t===void 0&&(t=xl(e)),t}function xl(e){let t=e.typeName,n=e.fields.concat().sort((r,i)=>r.number-i.number),s=n[0],o=[],a=(r,i,c)=>{if(c.$typeName!==t&&s!==void 0)throw new mt(s,`cannot use ${s} with message ${c.$typeName}`,"ForeignFieldError");for(let p=0;p<o.length;p++)o[p](r,i,c);let d=c.$unknown;if(d!==void 0&&i.writeUnknownFields)for(let p=0;p<d.length;p++){let{no:m,wireType:h,data:f}=d[p];r.tag(m,h).raw(f)}};Rr.set(e,a);for(let r of n)o.push(Tl(r));return a}function Tl(e){switch(e.fieldKind){case"message":case"scalar":case"enum":return Nl(e);case"list":return Dl(e);case"map":return Ml(e)}}function Nl(e){let t=Il(e),n=e.localName;if(e.oneof){let s=e.oneof.localName;return(o,a,r)=>{let i=r[s];i.case===n&&t(o,a,i.value)}}if(e.presence!=kl){let s=e.presence==Rl?`cannot encode ${e} to binary: required field not set`:void 0;return(o,a,r)=>{let i=r[n];if(i!==void 0&&Object.prototype.hasOwnProperty.call(r,n))t(o,a,i);else if(s!==void 0)throw new Error(s)}}if(e.fieldKind=="enum"){let s=e.enum.values[0].number;return(o,a,r)=>{let i=r[n];i!==s&&t(o,a,i)}}switch(e.scalar){case E.BOOL:return(s,o,a)=>{let r=a[n];r!==!1&&t(s,o,r)};case E.STRING:return(s,o,a)=>{let r=a[n];r!==""&&t(s,o,r)};case E.BYTES:return(s,o,a)=>{let r=a[n];(!(r instanceof Uint8Array)||r.byteLength>0)&&t(s,o,r)};case E.DOUBLE:case E.FLOAT:return(s,o,a)=>{let r=a[n];Object.is(r,0)||t(s,o,r)};default:return(s,o,a)=>{let r=a[n];r!=0&&t(s,o,r)}}}function Il(e){switch(e.fieldKind){case"message":{let{toMessage:t}=Ne(e),n=Ar(e);return(s,o,a)=>{n(s,o,t(a))}}case"scalar":case"enum":{let t=e.fieldKind=="enum"?E.INT32:e.scalar,n=e.number,s=t0(t),o=e0(t,e.parent.typeName,e.name);return(a,r,i)=>{a.tag(n,s),o(a,i)}}}}function Dl(e){let t=e.localName,n=e.number;switch(e.listKind){case"message":{let{toMessage:s}=Ne(e),o=Ar(e);return(a,r,i)=>{let c=i[t];for(let d=0;d<c.length;d++)o(a,r,s(c[d]))}}case"scalar":case"enum":{let s=e.listKind=="enum"?E.INT32:e.scalar,o=e0(s,e.parent.typeName,e.name);if(e.packed)return(r,i,c)=>{let d=c[t];if(d.length!=0){r.tag(n,$.LengthDelimited).fork();for(let p=0;p<d.length;p++)o(r,d[p]);r.join()}};let a=t0(s);return(r,i,c)=>{let d=c[t];for(let p=0;p<d.length;p++)r.tag(n,a),o(r,d[p])}}}}function Ml(e){let t=e.localName,n=e.number,s=Ol(e);if(e.mapKind=="message"){let{toMessage:i}=Ne(e),c=bs(e.message);return(d,p,m)=>{let h=m[t],f=Object.keys(h);for(let g=0;g<f.length;g++){let b=f[g];d.tag(n,$.LengthDelimited).fork(),s(d,b),d.tag(2,$.LengthDelimited).fork(),c(d,p,i(h[b])),d.join(),d.join()}}}let o=e.mapKind=="enum"?E.INT32:e.scalar,a=t0(o),r=e0(o,e.parent.typeName,e.name);return(i,c,d)=>{let p=d[t],m=Object.keys(p);for(let h=0;h<m.length;h++){let f=m[h];i.tag(n,$.LengthDelimited).fork(),s(i,f),i.tag(2,a),r(i,p[f]),i.join()}}}function Ol(e){let t=t0(e.mapKey),n=e0(e.mapKey,e.parent.typeName,e.name),s=Cl(e.mapKey);return(o,a)=>{o.tag(1,t),n(o,s(a))}}function Cl(e){switch(e){case E.STRING:return t=>t;case E.BOOL:return t=>t==="true"?!0:t==="false"?!1:t;case E.UINT64:case E.FIXED64:return t=>{try{return ne.uParse(t)}catch{return t}};case E.INT64:case E.SFIXED64:case E.SINT64:return t=>{try{return ne.parse(t)}catch{return t}};default:return t=>{let n=Number.parseInt(t);return Number.isFinite(n)?n:t}}}function e0(e,t,n){let s=Ll(e);return(o,a)=>{try{s(o,a)}catch(r){throw r instanceof Error?new Error(`cannot encode field ${t}.${n} to binary: ${r.message}`):r}}}function Ll(e){switch(e){case E.STRING:return(t,n)=>t.string(n);case E.BOOL:return(t,n)=>t.bool(n);case E.DOUBLE:return(t,n)=>t.double(n);case E.FLOAT:return(t,n)=>t.float(n);case E.INT32:return(t,n)=>t.int32(n);case E.INT64:return(t,n)=>t.int64(n);case E.UINT64:return(t,n)=>t.uint64(n);case E.FIXED64:return(t,n)=>t.fixed64(n);case E.BYTES:return(t,n)=>t.bytes(n);case E.FIXED32:return(t,n)=>t.fixed32(n);case E.SFIXED32:return(t,n)=>t.sfixed32(n);case E.SFIXED64:return(t,n)=>t.sfixed64(n);case E.SINT64:return(t,n)=>t.sint64(n);case E.UINT32:return(t,n)=>t.uint32(n);case E.SINT32:return(t,n)=>t.sint32(n)}}function Ar(e){let t=e.number,n=bs(e.message);return e.delimitedEncoding?(s,o,a)=>{s.tag(t,$.StartGroup),n(s,o,a),s.tag(t,$.EndGroup)}:(s,o,a)=>{s.tag(t,$.LengthDelimited).fork(),n(s,o,a),s.join()}}function t0(e){switch(e){case E.BYTES:case E.STRING:return $.LengthDelimited;case E.DOUBLE:case E.FIXED64:case E.SFIXED64:return $.Bit64;case E.FIXED32:case E.SFIXED32:case E.FLOAT:return $.Bit32;default:return $.Varint}}function Pl(e,t){if(e.typeUrl==="")return!1;let n=typeof t=="string"?t:t.typeName,s=Tr(e.typeUrl);return n===s}function xr(e,t){if(e.typeUrl==="")return;let n=t.kind=="message"?t:t.getMessage(Tr(e.typeUrl));if(!(!n||!Pl(e,n)))return be(n,e.value)}function Tr(e){let t=e.lastIndexOf("/"),n=t>=0?e.substring(t+1):e;if(!n.length)throw new Error(`invalid type url: ${e}`);return n}var Nr=()=>{};var Ir=()=>{};var Dr=Date.parse("0001-01-01T00:00:00Z"),Mr=Date.parse("9999-12-31T23:59:59Z"),Or=-315576e6,Cr=315576e6;var Ul=3,Bl=2,Lr={alwaysEmitImplicit:!1,enumAsInteger:!1,useProtoFieldName:!1};function Hl(e){return e?Object.assign(Object.assign({},Lr),e):Lr}function ht(e,t,n){return n0(e)(Hl(n),t)}function Pr(e,t,n){var s;let o=ht(e,t,n);return JSON.stringify(o,null,(s=n?.prettySpaces)!==null&&s!==void 0?s:0)}var ys=new WeakMap;function n0(e){let t=ys.get(e);return t===void 0&&(t=ql(e)),t}function ql(e){let t=e.typeName,n=Wl(e);if(n!==void 0){let i=e.fields[0],c=(d,p)=>{if(p.$typeName!==t&&i!==void 0)throw new mt(i,`cannot use ${i} with message ${p.$typeName}`,"ForeignFieldError");return n(d,p)};return ys.set(e,c),c}let s=e.fields.concat().sort((i,c)=>i.number-c.number),o=s[0],a=[],r=(i,c)=>{if(c.$typeName!==t&&o!==void 0)throw new mt(o,`cannot use ${o} with message ${c.$typeName}`,"ForeignFieldError");let d={};for(let p=0;p<a.length;p++)a[p](i,c,d);return i.registry&&Jl(d,i,i.registry,c,e),d};ys.set(e,r);for(let i of s){let c=Vl(i);a.push(i.jsonName==="__proto__"||i.name==="__proto__"?$l(c):c)}return r}function $l(e){return(t,n,s)=>{let o=Object.create(null);e(t,n,o);for(let a of Object.keys(o))ke(s,a,o[a])}}function Wl(e){if(e.typeName.startsWith("google.protobuf."))switch(e.typeName){case"google.protobuf.Any":return(t,n)=>Xl(n,t);case"google.protobuf.Timestamp":return(t,n)=>Ql(n);case"google.protobuf.Duration":return(t,n)=>Yl(n);case"google.protobuf.FieldMask":return(t,n)=>Zl(n);case"google.protobuf.Struct":return(t,n)=>qr(n);case"google.protobuf.Value":return(t,n)=>Ss(n);case"google.protobuf.ListValue":return(t,n)=>$r(n);default:if(ft(e)){let t=e.fields[0],n=t.localName,s=lt(t.scalar,!1),o=s0(t);return(a,r)=>{let i=r[n];return o(a,i===void 0?s:i)}}return}}function Vl(e){switch(e.fieldKind){case"scalar":case"enum":case"message":return Fl(e);case"list":case"map":{let t=e.fieldKind=="list"?Br(e):Hr(e),n=e.name,s=e.jsonName,o=e.localName;return(a,r,i)=>{let c=t(a,r[o]);c!==void 0&&(i[a.useProtoFieldName?n:s]=c)}}}}function Fl(e){let t=Ur(e),n=e.name,s=e.jsonName,o=e.localName;if(e.oneof){let a=e.oneof.localName;return(r,i,c)=>{let d=i[a];d.case===o&&(c[r.useProtoFieldName?n:s]=t(r,d.value))}}if(e.presence!=Bl){let a=e.presence==Ul?`cannot encode ${e} to JSON: required field not set`:void 0;return(r,i,c)=>{let d=i[o];if(d!==void 0&&Object.prototype.hasOwnProperty.call(i,o))c[r.useProtoFieldName?n:s]=t(r,d);else if(a!==void 0)throw new Error(a)}}if(e.fieldKind=="enum"){let a=e.enum.values[0].number;return(r,i,c)=>{let d=i[o];(d!==a||r.alwaysEmitImplicit)&&(c[r.useProtoFieldName?n:s]=t(r,d))}}switch(e.scalar){case E.BOOL:return(a,r,i)=>{let c=r[o];(c!==!1||a.alwaysEmitImplicit)&&(i[a.useProtoFieldName?n:s]=t(a,c))};case E.STRING:return(a,r,i)=>{let c=r[o];(c!==""||a.alwaysEmitImplicit)&&(i[a.useProtoFieldName?n:s]=t(a,c))};case E.BYTES:return(a,r,i)=>{let c=r[o];(!(c instanceof Uint8Array)||c.byteLength>0||a.alwaysEmitImplicit)&&(i[a.useProtoFieldName?n:s]=t(a,c))};case E.DOUBLE:case E.FLOAT:return(a,r,i)=>{let c=r[o];(!Object.is(c,0)||a.alwaysEmitImplicit)&&(i[a.useProtoFieldName?n:s]=t(a,c))};default:return(a,r,i)=>{let c=r[o];(c!=0||a.alwaysEmitImplicit)&&(i[a.useProtoFieldName?n:s]=t(a,c))}}}function Kl(e){switch(e.fieldKind){case"scalar":case"enum":case"message":return Ur(e);case"list":return Br(e);case"map":return Hr(e)}}function Ur(e){switch(e.fieldKind){case"scalar":return s0(e);case"enum":return Es(e);case"message":return vs(e)}}function vs(e){let{toMessage:t}=Ne(e),n=n0(e.message);return(s,o)=>n(s,t(o))}function Br(e){let t=jl(e);return(n,s)=>{let o=s;if(o.length==0&&!n.alwaysEmitImplicit)return;let a=[];for(let r=0;r<o.length;r++)a.push(t(n,o[r]));return a}}function jl(e){switch(e.listKind){case"scalar":return s0(e);case"enum":return Es(e);case"message":return vs(e)}}function Hr(e){let t=zl(e);return(n,s)=>{let o=s,a=Object.keys(o);if(a.length==0&&!n.alwaysEmitImplicit)return;let r={};for(let i=0;i<a.length;i++){let c=a[i];ke(r,c,t(n,o[c]))}return r}}function zl(e){switch(e.mapKind){case"scalar":return s0(e);case"enum":return Es(e);case"message":return vs(e)}}function Es(e){let t=e.enum;return t.typeName=="google.protobuf.NullValue"?(n,s)=>{if(typeof s!="number")throw Gr(t,s);return null}:(n,s)=>{var o,a;if(typeof s!="number")throw Gr(t,s);return n.enumAsInteger?s:(a=(o=t.value[s])===null||o===void 0?void 0:o.jsonName)!==null&&a!==void 0?a:s}}function Gr(e,t){return new Error(`cannot encode ${e} to JSON: expected number, got ${xa(t)}`)}function s0(e){switch(e.scalar){case E.INT32:case E.SFIXED32:case E.SINT32:case E.FIXED32:case E.UINT32:return(t,n)=>{if(typeof n!="number")throw Pt(e,n);return n};case E.FLOAT:case E.DOUBLE:return(t,n)=>{if(typeof n!="number")throw Pt(e,n);return Number.isNaN(n)?"NaN":n===Number.POSITIVE_INFINITY?"Infinity":n===Number.NEGATIVE_INFINITY?"-Infinity":n};case E.STRING:return(t,n)=>{if(typeof n!="string")throw Pt(e,n);return n};case E.BOOL:return(t,n)=>{if(typeof n!="boolean")throw Pt(e,n);return n};case E.UINT64:case E.FIXED64:case E.INT64:case E.SFIXED64:case E.SINT64:return(t,n)=>{if(typeof n=="bigint"||typeof n=="string"||typeof n=="number"&&Number.isInteger(n))return n.toString();throw Pt(e,n)};case E.BYTES:return(t,n)=>{if(n instanceof Uint8Array)return he(n);throw Pt(e,n)}}}function Pt(e,t){var n;return new Error(`cannot encode ${e} to JSON: ${(n=Aa(e,t))===null||n===void 0?void 0:n.message}`)}function Jl(e,t,n,s,o){let a=s.$unknown;if(a===void 0)return;let r=new Set;for(let i=0;i<a.length;i++){let{no:c}=a[i];if(!r.has(c)){r.add(c);let d=n.getExtensionFor(o,c);if(!d)continue;let p=Nr(s,d),[m,h]=Ir(d,p),f=m[os],g=Kl(h)(t,f[h.localName]);g!==void 0&&(e[d.jsonName]=g)}}}function Xl(e,t){if(e.typeUrl==="")return{};let{registry:n}=t,s,o;if(n&&(s=xr(e,n),s&&(o=n.getMessage(s.$typeName))),!o||!s)throw new Error(`cannot encode message ${e.$typeName} to JSON: "${e.typeUrl}" is not in the type registry`);let a=va(o)?{value:n0(o)(t,s)}:n0(o)(t,s);return a["@type"]=e.typeUrl,a}function Yl(e){let t=Number(e.seconds),n=e.nanos;if(t>Cr||t<Or)throw new Error(`cannot encode message ${e.$typeName} to JSON: value out of range`);if(t>0&&n<0||t<0&&n>0)throw new Error(`cannot encode message ${e.$typeName} to JSON: nanos sign must match seconds sign`);let s=e.seconds.toString();if(n!==0){let o=Math.abs(n).toString();o="0".repeat(9-o.length)+o,o.substring(3)==="000000"?o=o.substring(0,3):o.substring(6)==="000"&&(o=o.substring(0,6)),s+="."+o,n<0&&t==0&&(s="-"+s)}return s+"s"}function Zl(e){return e.paths.map(t=>{if(Ga(Le(t))!==t)throw new Error(`cannot encode message ${e.$typeName} to JSON: lowerCamelCase of path name "${t}" is irreversible`);return Le(t)}).join(",")}function qr(e){let t={},n=Object.keys(e.fields);for(let s=0;s<n.length;s++){let o=n[s];ke(t,o,Ss(e.fields[o]))}return t}function Ss(e){switch(e.kind.case){case"nullValue":return null;case"numberValue":if(!Number.isFinite(e.kind.value))throw new Error(`${e.$typeName} cannot be NaN or Infinity`);return e.kind.value;case"boolValue":return e.kind.value;case"stringValue":return e.kind.value;case"structValue":return qr(e.kind.value);case"listValue":return $r(e.kind.value);default:throw new Error(`${e.$typeName} must have a value`)}}function $r(e){return e.values.map(Ss)}function Ql(e){let t=Number(e.seconds)*1e3;if(t<Dr||t>Mr)throw new Error(`cannot encode message ${e.$typeName} to JSON: must be from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z inclusive`);if(e.nanos<0)throw new Error(`cannot encode message ${e.$typeName} to JSON: nanos must not be negative`);if(e.nanos>999999999)throw new Error(`cannot encode message ${e.$typeName} to JSON: nanos must not be greater than 999999999`);let n="Z";if(e.nanos>0){let s=(e.nanos+1e9).toString().substring(1);s.substring(3)==="000000"?n="."+s.substring(0,3)+"Z":s.substring(6)==="000"?n="."+s.substring(0,6)+"Z":n="."+s+"Z"}return new Date(t).toISOString().replace(".000Z",n)}var Wr=()=>{};function _s(e){let t=x[e];return typeof t!="string"?e.toString():t[0].toLowerCase()+t.substring(1).replace(/[A-Z]/g,n=>"_"+n.toLowerCase())}var O=class e extends Error{constructor(t,n=x.Unknown,s,o,a){super(ep(t,n)),this.name="ConnectError",Object.setPrototypeOf(this,new.target.prototype),this.rawMessage=t,this.code=n,this.metadata=new Headers(s??{}),this.details=o??[],this.cause=a}static from(t,n=x.Unknown){return t instanceof e?t:t instanceof Error?t.name=="AbortError"||t.name=="TimeoutError"?new e(t.message,x.Canceled):new e(t.message,n,void 0,void 0,t):new e(String(t),n,void 0,void 0,t)}static[Symbol.hasInstance](t){return t instanceof Error?Object.getPrototypeOf(t)===e.prototype?!0:t.name==="ConnectError"&&"code"in t&&typeof t.code=="number"&&"metadata"in t&&"details"in t&&Array.isArray(t.details)&&"rawMessage"in t&&typeof t.rawMessage=="string"&&"cause"in t:!1}findDetails(t){let n=t.kind==="message"?{getMessage:o=>o===t.typeName?t:void 0}:t,s=[];for(let o of this.details){if("desc"in o){n.getMessage(o.desc.typeName)&&s.push(Z(o.desc,o.value));continue}let a=n.getMessage(o.type);if(a)try{s.push(be(a,o.value))}catch{}}return s}};function ep(e,t){return e.length?`[${_s(t)}] ${e}`:`[${_s(t)}]`}function Vr(e,t,n){try{let s=Re(e);return t?be(t,s,n):s}catch(s){throw O.from(s,x.DataLoss)}}function Fr(e,t){let n={};for(let s of e.methods){let o=t(s);o!=null&&(n[s.localName]=o)}return n}var o0=1;function Kr(e,t,n=!1){if(t>e){let s=`message size is larger than configured readMaxBytes ${e}`;throw n&&(s=`message size ${t} is larger than configured readMaxBytes ${e}`),new O(s,x.ResourceExhausted)}}function tp(e){return new ws(e)}var ws=class{constructor(t){this.readMaxBytes=t,this.header=new Uint8Array(5),this.headerView=new DataView(this.header.buffer),this.buf=[]}get byteLength(){return this.buf.reduce((t,n)=>t+n.byteLength,0)}decode(t){this.buf.push(t);let n=[];for(;;){let s=this.pop();if(!s)break;n.push(s)}return n}pop(){if(!(!this.env&&(this.env=this.head(),!this.env))&&this.cons(this.env.data)){let t=this.env;return this.env=void 0,t}}head(){if(!this.cons(this.header))return;let t=this.headerView.getUint8(0),n=this.headerView.getUint32(1);return Kr(this.readMaxBytes,n,!0),{flags:t,data:new Uint8Array(n)}}cons(t){let n=t.byteLength;if(this.byteLength<n)return!1;let s=0;for(;s<n;){let o=this.buf.shift();o.byteLength>n-s?(t.set(o.subarray(0,n-s),s),this.buf.unshift(o.subarray(n-s)),s+=n-s):(t.set(o,s),s+=o.byteLength)}return!0}};function a0(e){let t,n=tp(4294967295);return new ReadableStream({start(){t=e.getReader()},async pull(s){let o=!1;for(;!o;){let a=await t.read();if(a.done)n.byteLength>0&&s.error(new O("protocol error: incomplete envelope",x.InvalidArgument)),s.close();else for(let r of n.decode(a.value))s.enqueue(r),o=!0}}})}function Ut(e,t){let n=new Uint8Array(t.length+5);n.set(t,5);let s=new DataView(n.buffer,n.byteOffset,n.byteLength);return s.setUint8(0,e),s.setUint32(1,t.length),n}var np=function(e){if(!Symbol.asyncIterator)throw new TypeError("Symbol.asyncIterator is not defined.");var t=e[Symbol.asyncIterator],n;return t?t.call(e):(e=typeof __values=="function"?__values(e):e[Symbol.iterator](),n={},s("next"),s("throw"),s("return"),n[Symbol.asyncIterator]=function(){return this},n);function s(a){n[a]=e[a]&&function(r){return new Promise(function(i,c){r=e[a](r),o(i,c,r.done,r.value)})}}function o(a,r,i,c){Promise.resolve(c).then(function(d){a({value:d,done:i})},r)}},rn=function(e){return this instanceof rn?(this.v=e,this):new rn(e)},sp=function(e,t,n){if(!Symbol.asyncIterator)throw new TypeError("Symbol.asyncIterator is not defined.");var s=n.apply(e,t||[]),o,a=[];return o=Object.create((typeof AsyncIterator=="function"?AsyncIterator:Object).prototype),i("next"),i("throw"),i("return",r),o[Symbol.asyncIterator]=function(){return this},o;function r(f){return function(g){return Promise.resolve(g).then(f,m)}}function i(f,g){s[f]&&(o[f]=function(b){return new Promise(function(y,v){a.push([f,b,y,v])>1||c(f,b)})},g&&(o[f]=g(o[f])))}function c(f,g){try{d(s[f](g))}catch(b){h(a[0][3],b)}}function d(f){f.value instanceof rn?Promise.resolve(f.value.v).then(p,m):h(a[0][2],f)}function p(f){c("next",f)}function m(f){c("throw",f)}function h(f,g){f(g),a.shift(),a.length&&c(a[0][0],a[0][1])}},op=function(e){var t,n;return t={},s("next"),s("throw",function(o){throw o}),s("return"),t[Symbol.iterator]=function(){return this},t;function s(o,a){t[o]=e[o]?function(r){return(n=!n)?{value:rn(e[o](r)),done:!1}:a?a(r):r}:a}};function jr(e){return sp(this,arguments,function*(){yield rn(yield*op(np(e)))})}var zr=function(e){if(!Symbol.asyncIterator)throw new TypeError("Symbol.asyncIterator is not defined.");var t=e[Symbol.asyncIterator],n;return t?t.call(e):(e=typeof __values=="function"?__values(e):e[Symbol.iterator](),n={},s("next"),s("throw"),s("return"),n[Symbol.asyncIterator]=function(){return this},n);function s(a){n[a]=e[a]&&function(r){return new Promise(function(i,c){r=e[a](r),o(i,c,r.done,r.value)})}}function o(a,r,i,c){Promise.resolve(c).then(function(d){a({value:d,done:i})},r)}},Bt=function(e){return this instanceof Bt?(this.v=e,this):new Bt(e)},ap=function(e){var t,n;return t={},s("next"),s("throw",function(o){throw o}),s("return"),t[Symbol.iterator]=function(){return this},t;function s(o,a){t[o]=e[o]?function(r){return(n=!n)?{value:Bt(e[o](r)),done:!1}:a?a(r):r}:a}},rp=function(e,t,n){if(!Symbol.asyncIterator)throw new TypeError("Symbol.asyncIterator is not defined.");var s=n.apply(e,t||[]),o,a=[];return o=Object.create((typeof AsyncIterator=="function"?AsyncIterator:Object).prototype),i("next"),i("throw"),i("return",r),o[Symbol.asyncIterator]=function(){return this},o;function r(f){return function(g){return Promise.resolve(g).then(f,m)}}function i(f,g){s[f]&&(o[f]=function(b){return new Promise(function(y,v){a.push([f,b,y,v])>1||c(f,b)})},g&&(o[f]=g(o[f])))}function c(f,g){try{d(s[f](g))}catch(b){h(a[0][3],b)}}function d(f){f.value instanceof Bt?Promise.resolve(f.value.v).then(p,m):h(a[0][2],f)}function p(f){c("next",f)}function m(f){c("throw",f)}function h(f,g){f(g),a.shift(),a.length&&c(a[0][0],a[0][1])}};function G(e,t){return Fr(e,n=>{switch(n.methodKind){case"unary":return up(t,n);case"server_streaming":return ip(t,n);case"client_streaming":return cp(t,n);case"bidi_streaming":return dp(t,n);default:return null}})}function up(e,t){return async(n,s)=>{var o,a;let r=await e.unary(t,s?.signal,s?.timeoutMs,s?.headers,n,s?.contextValues);return(o=s?.onHeader)===null||o===void 0||o.call(s,r.header),(a=s?.onTrailer)===null||a===void 0||a.call(s,r.trailer),r.message}}function ip(e,t){return(n,s)=>Jr(e.stream(t,s?.signal,s?.timeoutMs,s?.headers,jr([n]),s?.contextValues),s)}function cp(e,t){return async(n,s)=>{var o,a,r,i,c,d;let p=await e.stream(t,s?.signal,s?.timeoutMs,s?.headers,n,s?.contextValues);(c=s?.onHeader)===null||c===void 0||c.call(s,p.header);let m,h=0;try{for(var f=!0,g=zr(p.message),b;b=await g.next(),o=b.done,!o;f=!0)i=b.value,f=!1,m=i,h++}catch(y){a={error:y}}finally{try{!f&&!o&&(r=g.return)&&await r.call(g)}finally{if(a)throw a.error}}if(!m)throw new O("protocol error: missing response message",x.Unimplemented);if(h>1)throw new O("protocol error: received extra messages for client streaming method",x.Unimplemented);return(d=s?.onTrailer)===null||d===void 0||d.call(s,p.trailer),m}}function dp(e,t){return(n,s)=>Jr(e.stream(t,s?.signal,s?.timeoutMs,s?.headers,n,s?.contextValues),s)}function Jr(e,t){let n=(function(){return rp(this,arguments,function*(){var s,o;let a=yield Bt(e);(s=t?.onHeader)===null||s===void 0||s.call(t,a.header),yield Bt(yield*ap(zr(a.message))),(o=t?.onTrailer)===null||o===void 0||o.call(t,a.trailer)})})()[Symbol.asyncIterator]();return{[Symbol.asyncIterator]:()=>({next:()=>n.next()})}}function Xr(...e){let t=new AbortController,n=e.filter(o=>o!==void 0).concat(t.signal);for(let o of n){if(o.aborted){s.apply(o);break}o.addEventListener("abort",s)}function s(){t.signal.aborted||t.abort(ks(this));for(let o of n)o.removeEventListener("abort",s)}return t}function Yr(e){let t=new AbortController,n=()=>{t.abort(new O("the operation timed out",x.DeadlineExceeded))},s;return e!==void 0&&(e<=0?n():s=setTimeout(n,e)),{signal:t.signal,cleanup:()=>clearTimeout(s)}}function ks(e){if(!e.aborted)return;if(e.reason!==void 0)return e.reason;let t=new Error("This operation was aborted");return t.name="AbortError",t}function r0(){return{get(e){return e.id in this?this[e.id]:e.defaultValue},set(e,t){return this[e.id]=t,this},delete(e){return delete this[e.id],this}}}function u0(e){let t=new Headers,n=new TextDecoder().decode(e).split(`\r
`);for(let s of n){if(s==="")continue;let o=s.indexOf(":");if(o>0){let a=s.substring(0,o).trim(),r=s.substring(o+1).trim();t.append(a,r)}}return t}var Rs="Content-Type";var As="Grpc-Timeout",xe="Grpc-Status",un="Grpc-Message",xs="Grpc-Status-Details-Bin";var i0="User-Agent";var Ts="X-User-Agent",Qr="X-Grpc-Web";var eu="application/grpc-web+proto",tu="application/grpc-web+json";function Ht(e,t,...n){if(n.length>0)throw new Error;return e.services[t]}var pp=V(`
\fstatus.proto
google.rpc"N
Status\f
code (
\x07message (	%
\x07details (\v2.google.protobuf.AnyB^
com.google.rpcB\vStatusProtoPZ7google.golang.org/genproto/googleapis/rpc/status;status¢RPCbproto3`,[wr]),nu=F(pp,0);var su="0";function c0(e){var t;let n=e.get(xs);if(n!=null){let o=Vr(n,nu);if(o.code==0)return;let a=new O(o.message,o.code,e);return a.details=o.details.map(r=>({type:r.typeUrl.substring(r.typeUrl.lastIndexOf("/")+1),value:r.value})),a}let s=e.get(xe);if(s!=null){if(s===su)return;let o=parseInt(s,10);return o in x?new O(decodeURIComponent((t=e.get(un))!==null&&t!==void 0?t:""),o,e):new O(`invalid grpc-status: ${s}`,x.Internal,e)}}function d0(e,t){return e.toString().replace(/\/?$/,`/${t.parent.typeName}/${t.name}`)}function Ns(e,t){return Z(e,t)}function ou(e,t){function n(s){return s.done===!0?s:{done:s.done,value:Ns(e,s.value)}}return{[Symbol.asyncIterator](){let s=t[Symbol.asyncIterator](),o={next:()=>s.next().then(n)};return s.throw!==void 0&&(o.throw=a=>s.throw(a).then(n)),s.return!==void 0&&(o.return=a=>s.return(a).then(n)),o}}}function Is(e,t){if(!t)return e;for(let n of t.concat().reverse())e=n(e);return e}function uu(e){var t;let n=Object.assign({},e);return(t=n.ignoreUnknownFields)!==null&&t!==void 0||(n.ignoreUnknownFields=!0),n}function l0(e,t,n,s){let o=t?au(e.input,s):ru(e.input,n);return{parse:(t?au(e.output,s):ru(e.output,n)).parse,serialize:o.serialize}}function au(e,t){return{parse(n){try{return be(e,n,t)}catch(s){let o=s instanceof Error?s.message:String(s);throw new O(`parse binary: ${o}`,x.Internal)}},serialize(n){try{return Ie(e,n,t)}catch(s){let o=s instanceof Error?s.message:String(s);throw new O(`serialize binary: ${o}`,x.Internal)}}}}function ru(e,t){var n,s;let o=(n=t?.textEncoder)!==null&&n!==void 0?n:new TextEncoder,a=(s=t?.textDecoder)!==null&&s!==void 0?s:new TextDecoder,r=uu(t);return{parse(i){try{let c=a.decode(i);return Wr(e,c,r)}catch(c){throw O.from(c,x.InvalidArgument)}},serialize(i){try{let c=Pr(e,i,r);return o.encode(c)}catch(c){throw O.from(c,x.Internal)}}}}function Ds(e){let t=Is(e.next,e.interceptors),[n,s,o]=iu(e),a=Object.assign(Object.assign({},e.req),{message:Ns(e.req.method.input,e.req.message),signal:n});return t(a).then(r=>(o(),r),s)}function Ms(e){let t=Is(e.next,e.interceptors),[n,s,o]=iu(e),a=Object.assign(Object.assign({},e.req),{message:ou(e.req.method.input,e.req.message),signal:n}),r=!1;return n.addEventListener("abort",function(){var i,c;let d=e.req.message[Symbol.asyncIterator]();r||(i=d.throw)===null||i===void 0||i.call(d,this.reason).catch(()=>{}),(c=d.return)===null||c===void 0||c.call(d).catch(()=>{})}),t(a).then(i=>Object.assign(Object.assign({},i),{message:{[Symbol.asyncIterator](){let c=i.message[Symbol.asyncIterator]();return{next(){return c.next().then(d=>(d.done==!0&&(r=!0,o()),d),s)}}}}}),s)}function iu(e){let{signal:t,cleanup:n}=Yr(e.timeoutMs),s=Xr(e.signal,t);return[s.signal,function(a){let r=s.signal.aborted?O.from(ks(s.signal),x.Canceled):O.from(a);return s.abort(r),n(),Promise.reject(r)},function(){n(),s.abort()}]}var H,lu,fp,Ye,Os,h0,pu,f0,fu,Ls,Cs,mp,dn=Symbol.for("pv"),b0={},y0=[],gp=/^m(i|n|o|s|text|space)$/,Gs=Array.isArray,Ps=y0.slice,yt=Object.assign;function bt(e){e&&e.parentNode&&e.remove()}function mu(e,t,n){var s,o,a,r={},i=arguments.length;for(a in t)a=="key"?s=t[a]:a=="ref"&&typeof e!="function"?o=t[a]:r[a]=t[a];return i>2&&(r.children=i>3?Ps.call(arguments,2):n),cn(e,r,s,o,null)}function cn(e,t,n,s,o){var a={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:dn,__v:o||++lu,__i:-1,__u:0};return!o&&H.vnode&&H.vnode(a),a}function T(e){return e.children}function m0(e,t){this.props=e,this.context=t,this.__g=0}function Ze(e,t){if(t==null)return e.__&&Ze(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ze(e)}function hp(e){var t,n=e.__v,s=n.__e,o=[],a=[],r=e.__P;r&&((t=yt({constructor:dn},n)).__v=n.__v+1,H.vnode&&H.vnode(t),Us(r,t,n,e.__n,r.namespaceURI,32&n.__u?[s]:null,o,s||Ze(n),32&n.__u,a),t.__v=n.__v,t.__.__k[t.__i]=t,Eu(o,t,a),n.__=n.__e=null,t.__e!=s&&gu(t))}function gu(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),gu(e)}function cu(e){(8&e.__g||(e.__g|=8,Ye.push(e),h0++))&&Os==H.debounceRendering||((Os=H.debounceRendering)||queueMicrotask)(hu)}function hu(){try{for(var e,t=1;Ye.length;)Ye.length>t&&Ye.sort(pu),e=Ye.shift(),t=Ye.length,8&e.__g&&hp(e)}finally{(h0=Ye.length)&&(Os||queueMicrotask)(hu)}}function bu(e,t,n,s,o,a,r,i,c,d,p){var m,h,f,g,b,y,v=s.__k||y0,k=t.length;for(c=bp(n,t,v,c,k),m=0;m<k;m++)(f=n.__k[m])!=null&&(h=~f.__i&&v[f.__i]||b0,f.__i=m,y=Us(e,f,h,o,a,r,i,c,d,p),g=f.__e,(h.ref!=f.ref||8&h.__u)&&(h.ref&&Bs(h.ref,null,f,h),f.ref&&p.push(f.ref,f.__c||g,f)),b=b||g,4&f.__u?(c=yu(f,c,e,!h.__v),h.__e&&(h.__e=null)):typeof f.type=="function"&&y!==void 0?c=y:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=b,c}function bp(e,t,n,s,o){var a,r,i,c,d,p,m,h,f,g=n.length,b=g,y=0,v=0,k=e.__k=Array(o);for(a=0;a<o;a++)(r=t[a])!=null&&typeof r!="boolean"&&typeof r!="function"?(typeof r!="object"||r.constructor===String?r=k[a]=cn(null,r):Gs(r)?r=k[a]=cn(T,{children:r}):r.constructor===dn&&r.__b?r=k[a]=cn(r.type,r.props,r.key,r.ref,r.__v):k[a]=r,c=a+y,r.__=e,r.__b=e.__b+1,i=null,~(d=r.__i=yp(r,n,c,b))&&(b--,(i=n[d])&&(i.__u|=2)),i&&i.__v?(r.__u|=16,d==c-1?y--:d==c+1?y++:d!=c&&(d>c?y--:y++,v=1)):(~d||(o>g?y--:o<g&&y++),typeof r.type!="function"&&(r.__u|=4))):k[a]=null;if(v){for(p=[],m=[],a=0;a<o;a++)if((r=k[a])&&16&r.__u){for(y=0,h=p.length;y<h;)p[f=y+h>>1]<r.__i?y=f+1:h=f;p[y]=r.__i,m[a]=y+1}for(y=p.length;a--;)m[a]&&(m[a]==y?y--:k[a].__u|=4)}if(b)for(a=0;a<g;a++)!(i=n[a])||2&i.__u||(i.__e==s&&(s=Ze(i)),Hs(i,i));return s}function yu(e,t,n,s){var o,a,r,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&(o[a].__=e,t=yu(o[a],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ze(e))&&!t.parentNode&&(t=null),r=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(r!=i&&(!s&&n.moveBefore&&r.parentNode?n.moveBefore(r,t):n.insertBefore(r,t||null)),t=r;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function yp(e,t,n,s){var o,a=e.key,r=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&a==null||c&&a==i.key&&r==i.type)return n;if(s>(c?1:0)){for(o=n-1;o>=0;o--)if((i=t[o])&&!(2&i.__u)&&a==i.key&&r==i.type)return o;for(o=n+1;o<t.length;o++)if((i=t[o])&&!(2&i.__u)&&a==i.key&&r==i.type)return o}return-1}function du(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function p0(e,t,n,s,o){var a,r;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="string"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||du(e.style,t);if(n)for(t in n)s&&n[t]==s[t]||du(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[t]=n,n&&s||(r=Cs[t]||(Cs[t]=vp(t)),(e.__a||(e.__a={}))[t]=Ls,a=t!=(t=t.replace(fu,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,r,a):e.removeEventListener(t,r,a));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function vp(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[f0]==null)t[f0]=Ls++;else if(t[f0]<this.__a[e])return;return n(H.event?H.event(t):t)}}}function Us(e,t,n,s,o,a,r,i,c,d){var p,m,h,f,g,b,y,v,k,A,N,w,j,X,z,S,M,q,Y=t.type;if(t.constructor!==dn)return null;128&n.__u&&(c=32&n.__u,p=n.__c.__z)&&(t.__u|=c,m=a=[],p.nodeType==8?i=g0(p,a):a.push(p),i=a[0]||i),(p=H.__b)&&p(t);e:if(typeof Y=="function"){h=r.length;try{if(v=t.props,k=(p=Y.prototype)&&p.render,A=(p=Y.contextType)&&s[p.__c],N=p?A?A.props.value:p.__:s,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(k?t.__c=f=new Y(v,N):(t.__c=f=new m0(v,N),f.constructor=Y,f.render=Sp),A&&A.sub(f),f.state||(f.state={}),f.__n=s,f.__g|=8,f.__h=[],f.__k=[]),k&&(f.__s||(f.__s=f.state),Y.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=yt({},f.__s)),yt(f.__s,Y.getDerivedStateFromProps(v,f.__s)))),g=f.props,b=f.state,f.__v=t,n.__c){if(v!==g&&k&&!Y.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(v,N),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(v,f.__s,N)===!1){t.__v!=n.__v&&(f.props=v,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(W){W&&(W.__=t)}),y0.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&r.push(f),i=Ze(n);break e}f.componentWillUpdate&&f.componentWillUpdate(v,f.__s,N),k&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,b,y)})}else k&&!Y.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),k&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=N,f.props=v,f.__P=e,f.__g&=-5,w=H.__r,j=k?25:0;do f.__g&=-9,w&&w(t),p=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++j<25);k&&(y0.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(s=yt({},s,f.getChildContext())),k&&n.__c&&f.getSnapshotBeforeUpdate&&(y=f.getSnapshotBeforeUpdate(g,b)),X=p&&p.type===T&&p.key==null?p.props.children:p,v.__P&&(p=i,o=(e=v.__P).namespaceURI,c=a=null,n.props&&n.props.__P!=e&&(n.__k.some(function(W){W&&Hs(W,W)}),n.__k=null),i=n.__k?Ze(n,0):null),i=bu(e,Gs(X)?X:[X],t,n,s,o,a,r,i,c,d),v.__P&&(t.__e=null,i=p),t.__u&=-161,m&&m.some(bt),f.__h.length&&r.push(f),1&f.__g&&(f.__g&=-4)}catch(W){if(r.length=h,t.__v=null,c||a)if(W&&W.then){if(t.__u|=128|c,a){for(~(M=a.indexOf(i||void 0))||(M=a.length);(q=a[M-1])&&q.nodeType==8;)M--;for(;M<a.length;M++)if(q=a[M])if(a[M]=null,z){if(q==S)break}else{if(q.nodeType!=8)break;q.data.startsWith("$s")&&(S=g0(z=q))}}if(!z){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;z=i}(p=g0(z=t.__c.__z||(t.__c.__z=z)))?(t.__e=z,i=p):t.__e=i,i=i&&i.nextSibling}else a&&a.some(bt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),W&&W.then||vu(t),H.__e(W,t,n)}}else i=t.__e=Ep(n.__e,t,n,s,o,a,r,c,d,e);return(p=H.diffed)&&p(t),i}function g0(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function vu(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(vu))}function Eu(e,t,n){for(var s=0;s<n.length;)Bs(n[s++],n[s++],n[s++]);H.__c&&H.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(a){a.call(o)})}catch(a){H.__e(a,o.__v)}})}function Ep(e,t,n,s,o,a,r,i,c,d){var p,m,h,f,g,b,y,v,k=n.props||b0,A=t.props,N=t.type;if(N=="svg"?o="http://www.w3.org/2000/svg":N=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),a){for(p=0;p<a.length;p++)if((g=a[p])&&(N?g.localName==N:g.nodeType==3)){e=g,a[p]=null;break}}if(!e){if(v=d.ownerDocument||document,!N)return v.createTextNode(A);e=v.createElementNS(o,N,A.is?A:d),i&&(H.__m&&H.__m(t,a),i=!1),a=null}if(N){if(d=N=="template"&&e.content||e,a=N=="textarea"&&A.defaultValue!=null?null:a&&Ps.call(d.childNodes),!i&&a)for(k={},p=0;p<e.attributes.length;p++)k[(g=e.attributes[p]).name]=g.value;for(p in k)g=k[p],p=="dangerouslySetInnerHTML"?h=g:p=="children"||p in A||p=="value"&&"defaultValue"in A||p=="checked"&&"defaultChecked"in A||p0(e,p,null,g,o);for(p in A)g=A[p],p=="children"?f=g:p=="dangerouslySetInnerHTML"?m=g:p=="value"?b=g:p=="checked"?y=g:i&&typeof g!="function"||k[p]===g||p0(e,p,g,k[p],o);m?(i||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(h&&(e.textContent=""),(N=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&gp.test(N))&&(o="http://www.w3.org/1999/xhtml"),bu(d,Gs(f)?f:[f],t,n,s,o,a,r,a?a[0]:n.__k&&Ze(n,0),i,c),a&&a.some(bt)),i&&N!="textarea"||(p="value",N=="progress"&&b==null?e.removeAttribute(p):b==null||b===e[p]&&(N!="progress"||b)||p0(e,p,b,k[p],o),p="checked",y!=null&&y!=e[p]&&p0(e,p,y,k[p],o))}else k===A||i&&e.data==A||(e.data=A);return e}function Bs(e,t,n,s){try{typeof e=="function"?t?t.__x=e(t)||1:s&&(s=s.__c||s.__e)&&(t=s.__x)&&(s.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){H.__e(o,n)}}function Hs(e,t,n){var s,o,a,r;if(H.unmount&&H.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||Bs(s,null,t,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(i){H.__e(i,t)}s.__P=s.__n=null}if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&Hs(s[r],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(s=e.__c)&&(s=s.__z)&&(o=g0(s,a=[]))&&(s==e.__e&&a.some(bt),bt(o),bt(s)),n||bt(e.__e),e.__e=e.__c=e.__=null}function Sp(e,t,n){return this.constructor(e,n)}function v0(e,t){var n,s,o,a;H.__&&H.__(e,t),t.nodeType==9&&(t=t.documentElement),s=(n=e&&32&e.__u)?null:t.__k,t.__k=cn(T,{children:[e]}),o=[],a=[],Us(t,t.__k,s||b0,b0,t.namespaceURI,s?null:t.firstChild?Ps.call(t.childNodes):null,o,s?s.__e:t.firstChild,n,a),Eu(o,t.__k,a),t.__k.props.children=null}H={__e:function(e,t,n,s){for(var o,a,r;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((r=(a=o.constructor)&&a.getDerivedStateFromError)&&o.setState(a.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,s||{}),r=1),r&&8&o.__g)return void(o.__g|=2)}catch(i){e=i}}throw h0=0,e}},lu=0,fp=function(e){return e!=null&&e.constructor===dn},m0.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=yt({},this.state)),typeof e=="function"&&(e=e(yt({},n),this.props)),e&&(yt(n,e),this.__v&&(t&&this.__k.push(t),cu(this)))},m0.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),cu(this))},m0.prototype.render=T,Ye=[],h0=0,pu=function(e,t){return e.__v.__b-t.__v.__b},f0=Symbol(),fu=/(PointerCapture)$|Capture$/i,Ls=0,Cs={},mp=0;var qt,se,qs,Su,$s=Object.is,E0=0,Iu=[],Ws=[],Q=H,_u=Q.__b,wu=Q.__r,ku=Q.diffed,Ru=Q.__c,Au=Q.unmount,xu=Q.__;function S0(e,t){Q.__h&&Q.__h(se,e,E0||t),E0=0;var n=se.__H||(se.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function _(e){return E0=1,_p(Du,e)}function _p(e,t,n){var s=S0(qt++,2);if(s.t=e,!s.__c&&(s.__=[n?n(t):Du(void 0,t),function(a){var r=(s.__N||s.__)[0],i=s.t(r,a);$s(r,i)||(s.__N=[i,s.__[1]],s.__c.setState({}))}],s.__c=se,!se.__f)){se.__f=!0;var o=se.shouldComponentUpdate;se.shouldComponentUpdate=function(a,r,i){var c=this.__H;if(!c)return!0;var d=!1,p=this.props!=a;if(c.__.some(function(h){h.__N&&(d=!0,$s(h.__[0],h.__N[0])||(p=!0))}),o){var m=o.call(this,a,r,i);return d?m||p:m}return!d||p}}return s.__}function C(e,t){var n=S0(qt++,3);!Q.__s&&Fs(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,se.__H.__h.push(n))}function Qe(e,t){var n=S0(qt++,4);!Q.__s&&Fs(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,se.__h.push(n))}function ee(e){return E0=5,Pe(function(){return{current:e}},[])}function Pe(e,t){var n=S0(qt++,7);return Fs(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function wp(){var e;do{for(;e=Ws.shift();)try{ln(e)}catch(n){Q.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Iu.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ln),t.__h.some(Vs),t.__h=[]}catch(n){t.__h=[],Q.__e(n,e.__v)}}}while(Ws.length)}Q.__b=function(e){se=null,_u&&_u(e)},Q.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),xu&&xu(e,t)},Q.__r=function(e){wu&&wu(e),qt=0;var t=(se=e.__c).__H;t&&(qs==se?se.__h=[]:(t.__h.some(ln),t.__h.some(Vs),qt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),qs=se},Q.diffed=function(e){ku&&ku(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Nu(Iu.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),qs=se=null},Q.__c=function(e,t){t.some(function(n){try{n.__h.some(ln),n.__h=n.__h.filter(function(s){return!s.__||Vs(s)})}catch(s){n.__h=[function(){throw s}]}}),Ru&&Ru(e,t)},Q.unmount=function(e){Au&&Au(e);var t,n,s=e.__c;s&&s.__H&&(s.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,Nu(Ws.push(o))}else ln(o)}catch(a){t=a}}),s.__H=void 0,t&&Q.__e(t,s.__v))};var Tu=typeof requestAnimationFrame=="function";function kp(e){var t,n=function(){clearTimeout(s),Tu&&cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);Tu&&(t=requestAnimationFrame(n))}function Nu(e){e!=1&&Su==Q.requestAnimationFrame||((Su=Q.requestAnimationFrame)||kp)(wp)}function ln(e){var t=se,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),se=t}function Vs(e){var t=se;e.__c=e.__(),se=t}function Fs(e,t){return!e||e.length!=t.length||t.some(function(n,s){return!$s(n,e[s])})}function Du(e,t){return typeof t=="function"?t(e):t}var ye=V(`
canasta/v1/action.proto
canasta.v1"Ù
Action'
deal (\v2.canasta.v1.Action.DealH\02

draw_cards (\v2.canasta.v1.Action.DrawCardsH\02

draw_stock (\v2.canasta.v1.Action.DrawStockH\00
	take_pile (\v2\x1B.canasta.v1.Action.TakePileH\0.
\btake_top (\v2.canasta.v1.Action.TakeTopH\06
\frestore_pile (\v2.canasta.v1.Action.RestorePileH\02

lay_threes\x07 (\v2.canasta.v1.Action.LayThreesH\02

take_talon\b (\v2.canasta.v1.Action.TakeTalonH\0'
meld	 (\v2.canasta.v1.Action.MeldH\04
\vmerge_melds
 (\v2.canasta.v1.Action.MergeMeldsH\00
	undo_meld\v (\v2\x1B.canasta.v1.Action.UndoMeldH\0%
ask\f (\v2.canasta.v1.Action.AskH\0+
answer\r (\v2.canasta.v1.Action.AnswerH\0:
\fspecial_hand (\v2".canasta.v1.Action.ShowSpecialHandH\0-
\x07discard (\v2.canasta.v1.Action.DiscardH\0'
pass (\v2.canasta.v1.Action.PassH\00
	end_round (\v2\x1B.canasta.v1.Action.EndRoundH\04
\vcall_reveal (\v2.canasta.v1.Action.CallRevealH\0+
ruling (\v2.canasta.v1.Action.RulingH\0-
\x07dispute (\v2.canasta.v1.Action.DisputeH\0'
sign (\v2.canasta.v1.Action.SignH\0z
Deal
lifted (\rH\0
\vfoot_lifted (\rH
\rcontributions (\f
	signature (\fB	
\x07_liftedB
\f_foot_lifted0
	DrawCards#
picks (\v2.canasta.v1.CardList\v
	DrawStockZ
\bTakePile\r
cards (	
onto (\v2.canasta.v1.Onto
also (\v2.canasta.v1.Group	
\x07TakeTop\r
\vRestorePile
	LayThrees\r
cards (	\v
	TakeTalon)
Meld!
groups (\v2.canasta.v1.GroupH

MergeMelds
kept (\rH\0
merged (\rHB\x07
_keptB	
\x07_merged5
\bUndoMeld
meld (\rH\0\r
cards (	B\x07
_meldi
Ask 
about (2.canasta.v1.About
to (\rH\0(
way (\v2\x1B.canasta.v1.Action.NamedWayB
_to>
\bNamedWay!
groups (\v2.canasta.v1.Group
\x07discard (	"
Answer
yes (\bH\0B
_yes8
ShowSpecialHand%
hand (2.canasta.v1.SpecialHand
\x07Discard\f
card (	
Pass

\bEndRound(

CallReveal
seat (\rH\0B\x07
_seat
Ruling
id (\rH\0!
by (2.canasta.v1.Authority
\boffender (\rH
side (\rH\f
rule (	
points ("
effect\x07 (\v2.canasta.v1.Effect
reason\b (	
\breverses	 (\rH
	signature
 (\fB
_idB\v
	_offenderB\x07
_sideB\v
	_reverses5
\x07Dispute
open (\bH\0
reason (	B\x07
_open"
Sign
side (\rH\0B\x07
_sideB
kind"g
Group"
kind (2.canasta.v1.MeldKind
onto (\v2.canasta.v1.Onto\v
top (\b\r
cards (	"X
Onto"
place (2.canasta.v1.PlaceH\0#
meld (\v2.canasta.v1.MeldRefH\0B\x07
where"=
\x07MeldRef
side (\rH\0
id (\rHB\x07
_sideB
_id"
\bCardList\r
cards (	"Ö\x07
Effect-
\x07warning (\v2.canasta.v1.Effect.WarningH\08
\rraise_minimum (\v2.canasta.v1.Effect.RaiseMinimumH\08
\rpenalty_cards (\v2.canasta.v1.Effect.PenaltyCardsH\06
\fforfeit_pile (\v2.canasta.v1.Effect.ForfeitPileH\0)
stand (\v2.canasta.v1.Effect.StandH\0+
redeal (\v2.canasta.v1.Effect.RedealH\0-
\x07restore\x07 (\v2.canasta.v1.Effect.RestoreH\06
\frevoke_talon\b (\v2.canasta.v1.Effect.RevokeTalonH\0+
adjust	 (\v2.canasta.v1.Effect.AdjustH\0-
\x07forfeit
 (\v2.canasta.v1.Effect.ForfeitH\02

stop_clock\v (\v2.canasta.v1.Effect.StopClockH\0	
\x07Warning
\fRaiseMinimum
points (9
\fPenaltyCards
seat (\rH\0\r
cards (	B\x07
_seat8
\vForfeitPile
seat (\rH\0\r
until (\rB\x07
_seat=
Stand"
action (\v2.canasta.v1.Action
\bposition (\f\b
Redeal)
\x07Restore
to_seq (H\0B	
\x07_to_seq)
\vRevokeTalon
side (\rH\0B\x07
_side
Adjust
points (4
\x07Forfeit
side (\rH\0\r
award (B\x07
_side\v
	StopClockB
kind*=
Place
PLACE_UNSPECIFIED\0

PLACE_AUTO\r
	PLACE_NEW*
\bMeldKind
MELD_KIND_UNSPECIFIED\0
\rMELD_KIND_SET
MELD_KIND_WILD
MELD_KIND_SEQUENCE
MELD_KIND_BLACK_THREES*D
About
ABOUT_UNSPECIFIED\0
\fABOUT_GO_OUT
ABOUT_COURTESY*x
\vSpecialHand
SPECIAL_HAND_UNSPECIFIED\0
SPECIAL_HAND_STRAIGHT
SPECIAL_HAND_PAIRS
SPECIAL_HAND_GARBAGE*{
	Authority
AUTHORITY_UNSPECIFIED\0
AUTHORITY_DIRECTOR
AUTHORITY_JURY
AUTHORITY_TABLE
AUTHORITY_AUTOBN

canasta.v1B\vActionProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`),Mu=F(ye,0);var vt=V(`
canasta/v1/event.proto
canasta.v1"
Event(
drawn (\v2.canasta.v1.Event.DrawnH\0(
dealt (\v2.canasta.v1.Event.DealtH\0*
upcard (\v2.canasta.v1.Event.UpcardH\0&
drew (\v2.canasta.v1.Event.DrewH\01

three_laid (\v2\x1B.canasta.v1.Event.ThreeLaidH\0.
\breplaced (\v2.canasta.v1.Event.ReplacedH\0*
melded\x07 (\v2.canasta.v1.Event.MeldedH\0,
\x07canasta\b (\v2.canasta.v1.Event.CanastaH\0*
merged	 (\v2.canasta.v1.Event.MergedH\0.
\bunmelded
 (\v2.canasta.v1.Event.UnmeldedH\0/
	took_pile\v (\v2.canasta.v1.Event.TookPileH\0-
\btook_top\f (\v2.canasta.v1.Event.TookTopH\07
\rrestored_pile\r (\v2.canasta.v1.Event.RestoredPileH\00
	discarded (\v2\x1B.canasta.v1.Event.DiscardedH\0(
froze (\v2.canasta.v1.Event.FrozeH\0*
passed (\v2.canasta.v1.Event.PassedH\0/
	took_foot (\v2.canasta.v1.Event.TookFootH\07
\rtalon_awarded (\v2.canasta.v1.Event.TalonAwardedH\01

took_talon (\v2\x1B.canasta.v1.Event.TookTalonH\0(
asked (\v2.canasta.v1.Event.AskedH\0.
\banswered (\v2.canasta.v1.Event.AnsweredH\0.
\brevealed (\v2.canasta.v1.Event.RevealedH\03
\vsides_fixed (\v2.canasta.v1.Event.SidesFixedH\0-
\bwent_out (\v2.canasta.v1.Event.WentOutH\0:
\fspecial_hand (\v2".canasta.v1.Event.SpecialHandShownH\0;
stock_exhausted (\v2 .canasta.v1.Event.StockExhaustedH\0(
ruled\x1B (\v2.canasta.v1.Event.RuledH\0.
\bdisputed (\v2.canasta.v1.Event.DisputedH\0*
signed (\v2.canasta.v1.Event.SignedH\0*
scored (\v2.canasta.v1.Event.ScoredH\0M
Drawn#
picks (\v2.canasta.v1.CardList
\x07seating (\r
dealer (\rU
Dealt#
hands (\v2.canasta.v1.CardList

foot_sizes (\r
\vtalon_sizes (\r'
Upcard\f
card (	
\x07covered (\b#
Drew\f
seat (\r\r
cards (	'
	ThreeLaid\f
seat (\r\f
card (	&
\bReplaced\f
seat (\r\f
card (	e
Melded\f
side (\r\f
meld (\r"
kind (2.canasta.v1.MeldKind\f
rank (	\r
cards (	G
\x07Canasta\f
side (\r\f
meld (\r 
grade (2.canasta.v1.Grade4
Merged\f
side (\r\f
kept (\r
merged (\r5
\bUnmelded\f
side (\r\f
meld (\r\r
cards (	'
\bTookPile\f
seat (\r\r
cards (	%
\x07TookTop\f
seat (\r\f
card (	
\fRestoredPile\f
seat (\r:
	Discarded\f
seat (\r\f
card (	
	face_down (\b/
Froze&
cause (2.canasta.v1.FreezeCause
Passed\f
seat (\r
\bTookFoot\f
seat (\r+
\fTalonAwarded\f
seat (\r\r
talon (\r(
	TookTalon\f
seat (\r\r
cards (	C
Asked\f
seat (\r 
about (2.canasta.v1.About

to (\r%
\bAnswered\f
seat (\r\v
yes (\b'
\bRevealed\f
seat (\r\r
cards (	

SidesFixed\f
lone (\r*
\x07WentOut\f
seat (\r
	concealed (\bV
SpecialHandShown\f
seat (\r%
hand (2.canasta.v1.SpecialHand\r
cards (	
StockExhausted#
Ruled

id (\r
points (
\bDisputed\f
open (\b
Signed\f
side (\r\b
ScoredB
kind*f
Grade
GRADE_UNSPECIFIED\0
\rGRADE_NATURAL
\vGRADE_MIXED

GRADE_WILD
GRADE_SEQUENCE*¬
\vFreezeCause
FREEZE_CAUSE_UNSPECIFIED\0
FREEZE_CAUSE_WILD
FREEZE_CAUSE_RED_THREE\x1B
FREEZE_CAUSE_NOT_OPENED
FREEZE_CAUSE_ALWAYS
FREEZE_CAUSE_STARTBM

canasta.v1B
EventProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`,[ye]),Ou=F(vt,0);var pn=(a=>(a[a.UNSPECIFIED=0]="UNSPECIFIED",a[a.NATURAL=1]="NATURAL",a[a.MIXED=2]="MIXED",a[a.WILD=3]="WILD",a[a.SEQUENCE=4]="SEQUENCE",a))(pn||{});var Ks=(r=>(r[r.UNSPECIFIED=0]="UNSPECIFIED",r[r.WILD=1]="WILD",r[r.RED_THREE=2]="RED_THREE",r[r.NOT_OPENED=3]="NOT_OPENED",r[r.ALWAYS=4]="ALWAYS",r[r.START=5]="START",r))(Ks||{});var fn=V(`
canasta/v1/catalogue.proto
canasta.v1"S
GetCatalogueRequest
\rlanguage_code (	
	page_size (

page_token (	"}
GetCatalogueResponse
\rlanguage_code (	
digest (\f%
\bwordings (\v2.canasta.v1.Wording
next_page_token (	"x
\x07Wording%
kind (2.canasta.v1.WordingKind\f
name (	
\btemplate (	&
facts (\v2.canasta.v1.WordingFact"_
\vWordingFact\f
name (	"
type (2.canasta.v1.FactType\f
path (	
\boptional (\b*Ú
\vWordingKind
WORDING_KIND_UNSPECIFIED\0
WORDING_KIND_VALUE
WORDING_KIND_CODE
WORDING_KIND_REPAIR
WORDING_KIND_EVENT\x1B
WORDING_KIND_SCORE_LINE
WORDING_KIND_ACTION
WORDING_KIND_REASON\x07*ò
\bFactType
FACT_TYPE_UNSPECIFIED\0
FACT_TYPE_NUMBER
FACT_TYPE_CARD
FACT_TYPE_CARDS
FACT_TYPE_RANK
FACT_TYPE_SEAT
FACT_TYPE_SIDE
FACT_TYPE_MELD\x07
FACT_TYPE_WORD\b
FACT_TYPE_WORDS	
FACT_TYPE_SEATS
BQ

canasta.v1BCatalogueProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`);var Cu=F(fn,1);var et=V(`
canasta/v1/identity.proto
canasta.v1"@
Actor
seat (\rH\0 
role (2.canasta.v1.RoleH\0B
who*c
Role
ROLE_UNSPECIFIED\0

ROLE_TABLE

ROLE_JUDGE
\rROLE_DIRECTOR
ROLE_SPECTATORBP

canasta.v1B\rIdentityProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`);var _0=(a=>(a[a.UNSPECIFIED=0]="UNSPECIFIED",a[a.TABLE=1]="TABLE",a[a.JUDGE=2]="JUDGE",a[a.DIRECTOR=3]="DIRECTOR",a[a.SPECTATOR=4]="SPECTATOR",a))(_0||{});var Lu=V(`
canasta/v1/rule_set.proto
canasta.v1"Ø
RuleSetSummary

id (	
digest (\f\r
seats (\r\r
sides (\r
\bplayable (\b\r
title (	
\vdescription\x07 (	\r
packs\b (\r
jokers	 (\r
target
 (
rounds\v (\r
dealer_required\f (\b"é
	Variation

id (	\r
title (	
\vdescription (	
\brule_ids (	
\vour_reading (\b/
knobs (\v2 .canasta.v1.Variation.KnobsEntry
\fneeds_one_of\x07 (	
\bexcludes\b (	,

KnobsEntry\v
key (	\r
value (	:8"t
\x07RuleSet+
\x07summary (\v2.canasta.v1.RuleSetSummary
	canonical (	)

variations (\v2.canasta.v1.Variation"È
Knob\f
name (	\r
group (	
\x07meaning (	"
form (2.canasta.v1.KnobForm#
words (\v2.canasta.v1.KnobWord
\x07minimum (H\0
\x07maximum\x07 (H\f
step\b (\r
\rdefault_value	 (	!
uses
 (\v2.canasta.v1.KnobUse
\brule_ids\v (	+
	conflicts\f (\v2.canasta.v1.KnobConflictB

\b_minimumB

\b_maximum"*
\bKnobWord\r
value (	
\x07meaning (	"+
\x07KnobUse\r
value (	
	rule_sets (	":
\fKnobConflict
detail (	\r
knobs (	\v
why (	"e
ExplanationSection\f
name (	\r
title (	2
	sentences (\v2.canasta.v1.ExplanationSentence"5
ExplanationSentence\f
text (	
\brule_ids (	"
Rule

id (	
\x07section (	\f
text (	\r
lines (	
\bquestion (	

decided_by (	\v
why\x07 (	
ruling\b (	"
	CodeEntry\f
code (	
\x07summary (	\r
since (	&
facts (\v2.canasta.v1.WordingFact
\brule_ids (	\f
page (	
irregularities\x07 (	"5
\vRuleMatches&
\x07matches (\v2.canasta.v1.RuleMatch"k
	RuleMatch
\x07rule_id (	H\0
code (	H\0
\firregularity (	H\0\f
text (	\f
laws (	B\x07
found*Ø
\bKnobForm
KNOB_FORM_UNSPECIFIED\0
KNOB_FORM_SWITCH
KNOB_FORM_WORD
KNOB_FORM_WORDS
KNOB_FORM_NUMBER
KNOB_FORM_NUMBERS
KNOB_FORM_BY_RANK
KNOB_FORM_BANDS\x07
KNOB_FORM_CARD_POINTS\bBO

canasta.v1B\fRuleSetProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`,[fn]);var De=V(`
canasta/v1/score.proto
canasta.v1"
\bRoundEnd\r
round (\r*
reason (2.canasta.v1.RoundEndReason
seat (\rH\0
	concealed (\b!
scores (\v2.canasta.v1.ScoreB\x07
_seat"y
Score
side (\rH\0
seat (\rH\0$
lines (\v2.canasta.v1.ScoreLine\r
total (

cumulative (B\x07
owner"Y
	ScoreLine\f
item (	
count (\rH\0
points (
\brule_ids (	B\b
_count"I
\x07GameEnd
winner (\rH\0
margin (
totals (B	
\x07_winner*·
RoundEndReason 
ROUND_END_REASON_UNSPECIFIED\0
ROUND_END_REASON_DRAWN
ROUND_END_REASON_WENT_OUT$
 ROUND_END_REASON_STOCK_EXHAUSTED
\x1BROUND_END_REASON_LAST_THREE%
!ROUND_END_REASON_LAST_DRAWER_DONE!
ROUND_END_REASON_SPECIAL_HAND
ROUND_END_REASON_RULED\x07\x1B
ROUND_END_REASON_VOIDED\bBM

canasta.v1B
ScoreProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`);var Gu=F(De,2),js=F(De,3),zs=(d=>(d[d.UNSPECIFIED=0]="UNSPECIFIED",d[d.DRAWN=1]="DRAWN",d[d.WENT_OUT=2]="WENT_OUT",d[d.STOCK_EXHAUSTED=3]="STOCK_EXHAUSTED",d[d.LAST_THREE=4]="LAST_THREE",d[d.LAST_DRAWER_DONE=5]="LAST_DRAWER_DONE",d[d.SPECIAL_HAND=6]="SPECIAL_HAND",d[d.RULED=7]="RULED",d[d.VOIDED=8]="VOIDED",d))(zs||{});var Be=V(`
canasta/v1/view.proto
canasta.v1"
\vObservation 
actor (\v2.canasta.v1.Actor!
events (\v2.canasta.v1.Event
view (\v2.canasta.v1.View$

round_over (\v2.canasta.v1.View"Ö\b
View 
actor (\v2.canasta.v1.Actor
\brule_set (	
\x07game_id (\f	
n (\v
seq (\f
head (\f 
phase\x07 (2.canasta.v1.Phase\r
round\b (\r
dealer	 (\r
turn
 (\rH\0
to_act\v (\rH"
source\f (2.canasta.v1.Source#
sides\r (\v2.canasta.v1.SideView#
seats (\v2.canasta.v1.SeatView"
pile (\v2.canasta.v1.PileView\r
stock (\r&
\bquestion (\v2.canasta.v1.Question(

last_round (\v2.canasta.v1.RoundEnd
\vstock_cards (	
lone (\rH
	exact_cut (\b
exact_foot_cut (\b

no_discard (\b
	taken_top (	\x1B
taken_top_meld (\rH
\x07dispute (H
\x07attempt\x1B (\r%
talons (\v2.canasta.v1.TalonView
	face_down (\b
face_down_card (	
\rtalon_offered (\rH
	must_show  (\rH1
\fspecial_hand! (\v2\x1B.canasta.v1.SpecialHandView&
\bcourtesy" (2.canasta.v1.Courtesy 
courtesy_refused_by# (\rH\x07\r
title$ (	
target% (
rounds& (\r#
\bon_table' (\v2.canasta.v1.ScoreB\x07
_turnB	
\x07_to_actB\x07
_loneB
_taken_top_meldB

\b_disputeB
_talon_offeredB\f

_must_showB
_courtesy_refused_by"k
	TalonView%
place (2.canasta.v1.TalonPlace
seat (\rH\0\f
size (\r\r
cards (	B\x07
_seat"U
SpecialHandView\f
seat (\r%
hand (2.canasta.v1.SpecialHand\r
cards (	"
\bSideView\f
side (\r
score (H\0
opened (\b
\x07minimum (H#
melds (\v2.canasta.v1.MeldView'
frozen (2.canasta.v1.FreezeCause
\brestores\x07 (\r
signed\b (\b\r
ruled	 (#
needs
 (\v2.canasta.v1.MeldNeedB\b
_scoreB

\b_minimum"7
\bMeldNeed\f
code (	
\x07missing (\r\f
rank (	"
\bMeldView

id (\r"
kind (2.canasta.v1.MeldKind\f
rank (	\r
cards (	 
grade (2.canasta.v1.Grade\r
loose (	"ä
\bSeatView\f
seat (\r\f
side (\r
	hand_size (\r\f
hand (	\f
laid (	
score (H\0
\x07minimum\x07 (H
player\b (\r
	foot_size	 (\r\f
foot
 (	
\rpenalty_cards\v (	\x1B
pile_forfeited\f (\rH\r
ruled\r (

has_melded (\b
	has_asked (\b
	courteous (\b\f
name (	B\b
_scoreB

\b_minimumB
_pile_forfeited"l
\bPileView\f
size (\r\v
top (	'
frozen (2.canasta.v1.FreezeCause\r
cards (	\r
under (	"¨
\bQuestion 
about (2.canasta.v1.About
to (\rH\0
answer (\bH
\banswered (\rH
agreed (\bHB
_toB	
\x07_answerB\v
	_answeredB	
\x07_agreed*®
Phase
PHASE_UNSPECIFIED\0
\vPHASE_SETUP

PHASE_DEAL
\vPHASE_START

PHASE_PLAY
\vPHASE_ASKED
PHASE_ROUND_OVER
PHASE_GAME_OVER\x07
\fPHASE_TAKING\b*X
Source
SOURCE_UNSPECIFIED\0
\fSOURCE_STOCK
\vSOURCE_PILE
SOURCE_TOP_ONLY*d
\bCourtesy
COURTESY_UNSPECIFIED\0
COURTESY_ASKED
COURTESY_GRANTED
COURTESY_REFUSED*o

TalonPlace\x1B
TALON_PLACE_UNSPECIFIED\0
TALON_PLACE_CENTRE
TALON_PLACE_BEFORE
TALON_PLACE_USEDBL

canasta.v1B	ViewProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`,[ye,vt,et,De]);var Pu=F(Be,1);var Et=(d=>(d[d.UNSPECIFIED=0]="UNSPECIFIED",d[d.SETUP=1]="SETUP",d[d.DEAL=2]="DEAL",d[d.START=3]="START",d[d.PLAY=4]="PLAY",d[d.ASKED=5]="ASKED",d[d.ROUND_OVER=6]="ROUND_OVER",d[d.GAME_OVER=7]="GAME_OVER",d[d.TAKING=8]="TAKING",d))(Et||{});var tt=V(`
canasta/v1/violation.proto
canasta.v1"
\bRejected)

violations (\v2.canasta.v1.Violation&
\brecorded (\v2.canasta.v1.Recorded
index (\rH\0
\vrepairs_cut (\bB\b
_index"~
\bRecorded\r
state (\f	
n (\v
seq (\f
head (\f
frames (\f-
\fobservations (\v2.canasta.v1.Observation"à
	Violation\f
code (	
\brule_ids (	
\x07message (	/
facts (\v2 .canasta.v1.Violation.FactsEntry\r
field (	"
repair (\v2.canasta.v1.Repair>

FactsEntry\v
key (	
value (\v2.canasta.v1.Fact:8"
Repair\f
name (	
\x07message (	,
facts (\v2.canasta.v1.Repair.FactsEntry>

FactsEntry\v
key (	
value (\v2.canasta.v1.Fact:8"ö
Fact
number (H\0
card (	H\0%
cards (\v2.canasta.v1.CardListH\0
rank (	H\0
seat (\rH\0
side (\rH\0
meld\x07 (\rH\0
word\b (	H\0%
words	 (\v2.canasta.v1.WordListH\0%
seats
 (\v2.canasta.v1.SeatListH\0B\x07
value"
\bSeatList\r
seats (\r"
\bWordList\r
words (	BQ

canasta.v1BViolationProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`,[ye,Be]);var Uu=F(tt,2),Bu=F(tt,3);var mn=V(`
canasta/v1/game_service.proto
canasta.v1"
GetServerInfoRequest"
GetServerInfoResponse"
\fServerLimits"
\rRuleSetDigest"<
ListRuleSetsRequest
	page_size (

page_token (	"^
ListRuleSetsResponse-
	rule_sets (\v2.canasta.v1.RuleSetSummary
next_page_token (	"L
GetRuleSetRequest

id (	+
\vhouse_rules (\v2.canasta.v1.HouseRules"c
GetRuleSetResponse%
\brule_set (\v2.canasta.v1.RuleSet&
\brejected (\v2.canasta.v1.Rejected"P
ListKnobsRequest
\rlanguage_code (	
	page_size (

page_token (	"M
ListKnobsResponse
knobs (\v2.canasta.v1.Knob
next_page_token (	"M
ExplainRuleSetRequest

id (	
	canonical (	
\rlanguage_code (	"J
ExplainRuleSetResponse0
\bsections (\v2.canasta.v1.ExplanationSection"u
GetRuleRequest
\x07rule_id (	H\0
code (	H\0
words (	H\0
\rlanguage_code (	
	canonical (	B
key"
GetRuleResponse 
rule (\v2.canasta.v1.RuleH\0%
code (\v2.canasta.v1.CodeEntryH\0*
\x07matches (\v2.canasta.v1.RuleMatchesH\0B\x07
entry"ï
CreateGameRequest
\brule_set (	+
\vhouse_rules (\v2.canasta.v1.HouseRules'
	deal_mode (2.canasta.v1.DealMode#
\x07players (\v2.canasta.v1.Player
\x07game_id (\f
secret (\f
wall\x07 (\v2.canasta.v1.Wall
dealer\b (\rH\0
\rstarted_at_ms	 (H
\rexpires_at_ms
 (H.
\fregistration\v (2.canasta.v1.Registration$
	observers\f (\v2.canasta.v1.Actor

request_id\r (\f
\fdirector_key (\f
\bposition (	B	
\x07_dealerB
_started_at_msB
_expires_at_ms"¡

HouseRules\f
name (	
	canonical (	0
knobs (\v2!.canasta.v1.HouseRules.KnobsEntry

variations (	,

KnobsEntry\v
key (	\r
value (	:8"*
Player\f
name (	

public_key (\f"#
Wall\r
cards (	\f
salt (\f"q
CreateGameResponse&
\x07created (\v2.canasta.v1.CreatedH\0(
\brejected (\v2.canasta.v1.RejectedH\0B	
\x07outcome"
\x07Created\r
state (\f	
n (\v
seq (\f
head (\f
frames (\f
\x07game_id (\f-
\fobservations\x07 (\v2.canasta.v1.Observation"Ó
ApplyActionRequest\r
state (\f 
actor (\v2.canasta.v1.Actor"
action (\v2.canasta.v1.Action
\fexpected_seq (H\0
\rexpected_head (\f

elapsed_ms (H
\vwant_events\x07 (\b
	want_view\b (\b
record_refusal	 (\b
	signature
 (\f
note\v (\v2.canasta.v1.Note&
\bregister\f (\v2.canasta.v1.Register

checkpoint\r (\b
\rearlier_state (\f
	want_head (\b$
	observers (\v2.canasta.v1.ActorB
\r_expected_seqB\r
\v_elapsed_ms"
Note\f
text (	"
\bRegister
wall (\v2.canasta.v1.Wall
\vcommitments (\f"
beacon (\v2.canasta.v1.Beacon
dealer (\rH\0

signatures (\fB	
\x07_dealer"8
Beacon\r
chain (\f\r
round (
\bclose_ms ("
ApplyActionResponse(
\baccepted (\v2.canasta.v1.AcceptedH\0(
\brejected (\v2.canasta.v1.RejectedH\0(
\brecorded (\v2.canasta.v1.RecordedH\0B	
\x07outcome"
ApplyActionsRequest"
ProposedAction"
ApplyActionsResponse"
AcceptedActions"
\fActionResult"_
\vPlayRequest\r
state (\f-
apply (\v2.canasta.v1.ApplyActionRequest

want_state (\b"´
\fPlayResponse(
\baccepted (\v2.canasta.v1.AcceptedH\0(
\brejected (\v2.canasta.v1.RejectedH\0(
\brecorded (\v2.canasta.v1.RecordedH\0\r
state (\f\f
last (\bB	
\x07outcome"
\bAccepted\r
state (\f	
n (\v
seq (\f
head (\f
frames (\f!
events (\v2.canasta.v1.Event
view\x07 (\v2.canasta.v1.View'
	round_end\b (\v2.canasta.v1.RoundEnd%
\bgame_end	 (\v2.canasta.v1.GameEnd-
\fobservations
 (\v2.canasta.v1.Observation"
CheckActionRequest"
CheckActionResponse"\x07
Legal"q
ListLegalActionsRequest\r
state (\f 
actor (\v2.canasta.v1.Actor
	page_size (

page_token (	"j
ListLegalActionsResponse#
\x07actions (\v2.canasta.v1.Action
\bcomplete (\b
next_page_token (	"t
OptionsRequest\r
state (\f 
actor (\v2.canasta.v1.Actor\r
cards (	"
chosen (\v2.canasta.v1.Action"L
OptionsResponse'
\x07options (\v2.canasta.v1.PlayOption
\bcomplete (\b"ÿ

PlayOption,
\vdestination (2.canasta.v1.Destination
meld (\rH"
action (\v2.canasta.v1.Action"
legal (\v2.canasta.v1.LegalH\0(
\brejected (\v2.canasta.v1.RejectedH\0*
\x07initial (\v2.canasta.v1.InitialPointsB	
\x07verdictB\x07
_meld"0
\rInitialPoints\r
found (
\brequired ("p
PreviewTakeBackRequest\r
state (\f 
actor (\v2.canasta.v1.Actor
\rearlier_state (\f
frames (\f"³
PreviewTakeBackResponse
to_seq (H\0
\x07actions (\r"
ruling (\v2.canasta.v1.Action
\rearlier_state (\f,
\x07refused (\v2\x1B.canasta.v1.TakeBackRefusedB	
\x07_to_seq"X
TakeBackRefused+
reason (2\x1B.canasta.v1.TakeBackRefusal
seq (H\0B
_seq"A
GetViewRequest\r
state (\f 
actor (\v2.canasta.v1.Actor"1
GetViewResponse
view (\v2.canasta.v1.View"±
SuggestActionRequest\r
state (\f 
actor (\v2.canasta.v1.Actor\f
seed (\r
level (\r'
\x07history (\v2.canasta.v1.SeenAction"
played (\v2.canasta.v1.Action"Q

SeenAction 
actor (\v2.canasta.v1.Actor!
events (\v2.canasta.v1.Event"«
SuggestActionResponse"
action (\v2.canasta.v1.Action
reason (	'
	estimates (\v2.canasta.v1.Estimate
	from_view (\b"
review (\v2.canasta.v1.Review"C
Review\f
lost (\r
error (\r
tables (\r\f
slip (	"k
\bEstimate"
action (\v2.canasta.v1.Action
tables (\r
points (\f
gain (\r
error (\r*c
\fRegistration
REGISTRATION_UNSPECIFIED\0
REGISTRATION_AUTOMATIC
REGISTRATION_BY_TABLE*l
\bDealMode
DEAL_MODE_UNSPECIFIED\0
DEAL_MODE_SEEDED
DEAL_MODE_COMMITTED
DEAL_MODE_EXPLICIT*â
\vDestination\x1B
DESTINATION_UNSPECIFIED\0
DESTINATION_MELD
DESTINATION_NEW_SET
DESTINATION_NEW_WILD
DESTINATION_NEW_SEQUENCE 
DESTINATION_NEW_BLACK_THREES
DESTINATION_PILE
DESTINATION_DISCARD\x07*¸
TakeBackRefusal!
TAKE_BACK_REFUSAL_UNSPECIFIED\0
TAKE_BACK_REFUSAL_OFF
\x1BTAKE_BACK_REFUSAL_CARD_SEEN!
TAKE_BACK_REFUSAL_OTHER_ACTED#
TAKE_BACK_REFUSAL_NOT_THIS_DEAL2	
\vGameServiceV
\fListRuleSets.canasta.v1.ListRuleSetsRequest .canasta.v1.ListRuleSetsResponse"P

GetRuleSet.canasta.v1.GetRuleSetRequest.canasta.v1.GetRuleSetResponse"M
	ListKnobs.canasta.v1.ListKnobsRequest.canasta.v1.ListKnobsResponse"\\
ExplainRuleSet!.canasta.v1.ExplainRuleSetRequest".canasta.v1.ExplainRuleSetResponse"G
\x07GetRule.canasta.v1.GetRuleRequest\x1B.canasta.v1.GetRuleResponse"V
\fGetCatalogue.canasta.v1.GetCatalogueRequest .canasta.v1.GetCatalogueResponse"K

CreateGame.canasta.v1.CreateGameRequest.canasta.v1.CreateGameResponseS
\vApplyAction.canasta.v1.ApplyActionRequest.canasta.v1.ApplyActionResponse"b
ListLegalActions#.canasta.v1.ListLegalActionsRequest$.canasta.v1.ListLegalActionsResponse"G
\x07Options.canasta.v1.OptionsRequest\x1B.canasta.v1.OptionsResponse"_
PreviewTakeBack".canasta.v1.PreviewTakeBackRequest#.canasta.v1.PreviewTakeBackResponse"G
\x07GetView.canasta.v1.GetViewRequest\x1B.canasta.v1.GetViewResponse"Y
\rSuggestAction .canasta.v1.SuggestActionRequest!.canasta.v1.SuggestActionResponse"=
Play.canasta.v1.PlayRequest.canasta.v1.PlayResponse(0BS

canasta.v1BGameServiceProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`,[ye,fn,vt,et,Lu,De,Be,tt]);var gn=(c=>(c[c.UNSPECIFIED=0]="UNSPECIFIED",c[c.MELD=1]="MELD",c[c.NEW_SET=2]="NEW_SET",c[c.NEW_WILD=3]="NEW_WILD",c[c.NEW_SEQUENCE=4]="NEW_SEQUENCE",c[c.NEW_BLACK_THREES=5]="NEW_BLACK_THREES",c[c.PILE=6]="PILE",c[c.DISCARD=7]="DISCARD",c))(gn||{});var te=Ht(mn,0);var hn=V(`
canasta/v1/audit_service.proto
canasta.v1"Y
AuditLogRequest-
\bquestion (\v2.canasta.v1.AuditQuestionH\0
chunk (\fH\0B
part"
\rAuditQuestion 
actor (\v2.canasta.v1.Actor\f
live (\b
\rexpected_head (\f3
expected_record (\v2.canasta.v1.ExpectedRecord
\x07salvage (\b"4
ExpectedRecord
n (H\0\f
head (\fB
_n"é
AuditLogResponse$
\x07verdict (2.canasta.v1.Verdict%
deal (2.canasta.v1.DealVerdict%
game (\v2.canasta.v1.AuditedGame
\x07records (\r
bytes (\f
head (\f
\fhead_checked\x07 (\b
\x07actions\b ()
signed	 (\v2.canasta.v1.SignedActions
\brefusals
 (
\x07rulings\v (
\x07remarks\f (
rounds\r (\r
voided (\r
conditional_from (\rH\0
totals (#
result (\v2.canasta.v1.GameEnd

open_round (\rH%
\bfindings (\v2.canasta.v1.Finding
findings_left_off (&
\bsalvaged (\v2.canasta.v1.Salvaged

unverified (B
_conditional_fromB\r
\v_open_round"
\vAuditedGame
\x07game_id (\f
\brule_set (	
rule_set_digest (\f'
	deal_mode (2.canasta.v1.DealMode#
\x07players (\v2.canasta.v1.Player
\x07seating (\r
\fdirector_key\x07 (\f
	penalties\b (\rH\0
	branch_of	 (HB\f

_penaltiesB\f

_branch_of"0
\rSignedActions
\x07actions (
signed ("0
\bSalvaged
\x07records (
\vpassed_over ("ß
\x07Finding%
kind (2.canasta.v1.FindingKind
record (
offset (
round (\rH\0
seat (\rH\r
codes (	
\brule_ids\x07 (	
detail\b (	
\bposition	 (	
\bunproven
 (\bB\b
_roundB\x07
_seat"W
GetStepRequest,
\bquestion (\v2.canasta.v1.StepQuestionH\0
chunk (\fH\0B
part"F
\fStepQuestion 
actor (\v2.canasta.v1.Actor
n (H\0B
_n"
GetStepResponse" 
	LogRecord	
n (
offset (\f
head (\f$
kind (2.canasta.v1.RecordKind 
actor (\v2.canasta.v1.Actor"
action (\v2.canasta.v1.Action\r
codes\x07 (	\f
text\b (	

elapsed_ms	 (H\0
signed
 (\b
round\v (\rH\v
seq\f (B\r
\v_elapsed_msB\b
_round"[
ExplainStepRequest,
\bquestion (\v2.canasta.v1.StepQuestionH\0
chunk (\fH\0B
part"ú
ExplainStepResponse%
record (\v2.canasta.v1.LogRecord"
legal (\v2.canasta.v1.LegalH\0(
\brejected (\v2.canasta.v1.RejectedH\0)
\rlegal_actions (\v2.canasta.v1.Action
\bcomplete (\b$
\x07unknown (2.canasta.v1.UnknownB\v
	judgement"b
DescribeLogRequest3
\bquestion (\v2.canasta.v1.DescriptionQuestionH\0
chunk (\fH\0B
part"®
DescriptionQuestion 
actor (\v2.canasta.v1.Actor
from_n (H\0
to_n (H
	page_size (

page_token (	

want_views (\bB	
\x07_from_nB\x07
_to_n"\\
DescribeLogResponse,
\x07records (\v2\x1B.canasta.v1.DescribedRecord
next_page_token (	"§
DescribedRecord%
record (\v2.canasta.v1.LogRecord!
events (\v2.canasta.v1.Event
view (\v2.canasta.v1.View'
	round_end (\v2.canasta.v1.RoundEnd%
\bgame_end (\v2.canasta.v1.GameEnd
taken_back_to_seq (H\0$
\x07unknown\x07 (2.canasta.v1.UnknownB
_taken_back_to_seq"
\rAskLogRequest"
\fLogQuestions"\r
\vLogQuestion"
AskLogResponse"\v
	LogAnswer*þ
\x07Verdict
VERDICT_UNSPECIFIED\0
\rVERDICT_CLEAN
VERDICT_CLEAN_WITH_RULINGS
VERDICT_CONDITIONAL
VERDICT_INCOMPLETE
VERDICT_ILLEGAL
VERDICT_ALTERED
\x1BVERDICT_UNSUPPORTED_VERSION\x07
VERDICT_NOT_A_LOG\b
VERDICT_CLERICAL	*
\vDealVerdict
DEAL_VERDICT_UNSPECIFIED\0
DEAL_VERDICT_AS_COMMITTED
DEAL_VERDICT_NOT_CHECKED
DEAL_VERDICT_FAILED*³
\vFindingKind
FINDING_KIND_UNSPECIFIED\0
FINDING_KIND_TORN
FINDING_KIND_CORRUPT
FINDING_KIND_MALFORMED
FINDING_KIND_ORDER
FINDING_KIND_RULE_SET\x1B
FINDING_KIND_COMMITMENT
FINDING_KIND_REGISTER\x07
FINDING_KIND_DEAL\b
FINDING_KIND_ILLEGAL	
FINDING_KIND_DIGEST

FINDING_KIND_SCORE\v
FINDING_KIND_TALLY\f
FINDING_KIND_RESULT\r
FINDING_KIND_REFUSAL
FINDING_KIND_SIGNATURE\x1B
FINDING_KIND_INCOMPLETE
FINDING_KIND_HEAD\x1B
FINDING_KIND_CHECKPOINT
\x1BFINDING_KIND_ROUND_TOO_LONG\x1B
FINDING_KIND_NOT_JUDGED
FINDING_KIND_UNPROVEN
FINDING_KIND_NOT_A_LOG$
 FINDING_KIND_UNSUPPORTED_VERSION
FINDING_KIND_CLERICAL*ô

RecordKind\x1B
RECORD_KIND_UNSPECIFIED\0
RECORD_KIND_GENESIS
RECORD_KIND_REGISTER
RECORD_KIND_ACTION
RECORD_KIND_ROUND_END
RECORD_KIND_GAME_END
RECORD_KIND_REFUSAL
RECORD_KIND_NOTE\x07
RECORD_KIND_CHECKPOINT\b*
\x07Unknown
UNKNOWN_UNSPECIFIED\0
UNKNOWN_NOT_DEALT
UNKNOWN_HIDDEN
UNKNOWN_AFTER_ILLEGAL
UNKNOWN_NO_ACTION
UNKNOWN_NOT_PLAYED2
\fAuditServiceL
\bAuditLog\x1B.canasta.v1.AuditLogRequest.canasta.v1.AuditLogResponse"(U
\vExplainStep.canasta.v1.ExplainStepRequest.canasta.v1.ExplainStepResponse"(U
\vDescribeLog.canasta.v1.DescribeLogRequest.canasta.v1.DescribeLogResponse"(BT

canasta.v1BAuditServiceProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`,[ye,vt,mn,et,De,Be,tt]);var Js=F(hn,8);var Hu=F(hn,17);var St=(p=>(p[p.UNSPECIFIED=0]="UNSPECIFIED",p[p.CLEAN=1]="CLEAN",p[p.CLEAN_WITH_RULINGS=2]="CLEAN_WITH_RULINGS",p[p.CONDITIONAL=3]="CONDITIONAL",p[p.INCOMPLETE=4]="INCOMPLETE",p[p.ILLEGAL=5]="ILLEGAL",p[p.ALTERED=6]="ALTERED",p[p.UNSUPPORTED_VERSION=7]="UNSUPPORTED_VERSION",p[p.NOT_A_LOG=8]="NOT_A_LOG",p[p.CLERICAL=9]="CLERICAL",p))(St||{});var bn=(o=>(o[o.UNSPECIFIED=0]="UNSPECIFIED",o[o.AS_COMMITTED=1]="AS_COMMITTED",o[o.NOT_CHECKED=2]="NOT_CHECKED",o[o.FAILED=3]="FAILED",o))(bn||{});var Xs=(S=>(S[S.UNSPECIFIED=0]="UNSPECIFIED",S[S.TORN=1]="TORN",S[S.CORRUPT=2]="CORRUPT",S[S.MALFORMED=3]="MALFORMED",S[S.ORDER=4]="ORDER",S[S.RULE_SET=5]="RULE_SET",S[S.COMMITMENT=6]="COMMITMENT",S[S.REGISTER=7]="REGISTER",S[S.DEAL=8]="DEAL",S[S.ILLEGAL=9]="ILLEGAL",S[S.DIGEST=10]="DIGEST",S[S.SCORE=11]="SCORE",S[S.TALLY=12]="TALLY",S[S.RESULT=13]="RESULT",S[S.REFUSAL=14]="REFUSAL",S[S.SIGNATURE=15]="SIGNATURE",S[S.INCOMPLETE=16]="INCOMPLETE",S[S.HEAD=17]="HEAD",S[S.CHECKPOINT=18]="CHECKPOINT",S[S.ROUND_TOO_LONG=19]="ROUND_TOO_LONG",S[S.NOT_JUDGED=20]="NOT_JUDGED",S[S.UNPROVEN=21]="UNPROVEN",S[S.NOT_A_LOG=22]="NOT_A_LOG",S[S.UNSUPPORTED_VERSION=23]="UNSUPPORTED_VERSION",S[S.CLERICAL=24]="CLERICAL",S))(Xs||{});var $t=(r=>(r[r.UNSPECIFIED=0]="UNSPECIFIED",r[r.NOT_DEALT=1]="NOT_DEALT",r[r.HIDDEN=2]="HIDDEN",r[r.AFTER_ILLEGAL=3]="AFTER_ILLEGAL",r[r.NO_ACTION=4]="NO_ACTION",r[r.NOT_PLAYED=5]="NOT_PLAYED",r))($t||{});var w0=Ht(hn,0);var Rp=V(`
canasta/v1/record_service.proto
canasta.v1".
LogEnd	
n (\v
seq (\f
head (\f"
\rCreateRequest

request_id (\f
\brule_set (	+
\vhouse_rules (\v2.canasta.v1.HouseRules'
	deal_mode (2.canasta.v1.DealMode#
\x07players (\v2.canasta.v1.Player
\x07game_id (\f
wall\x07 (\v2.canasta.v1.Wall
dealer\b (\rH\0
\rstarted_at_ms	 (H.
\fregistration
 (2.canasta.v1.Registration
\fdirector_key\v (\f\r
label\f (	 
clock\r (\v2.canasta.v1.Clock)

take_backs (2.canasta.v1.TakeBacks$
	observers (\v2.canasta.v1.Actor

auto_table (\b
bots (\v2.canasta.v1.Bot"
\x07creator (\v2.canasta.v1.Actor
waits_for_opening (\b 
board (\v2.canasta.v1.Board
\bposition (	B	
\x07_dealerB
_started_at_ms"9
Board
\bboard_id (\f
secret (\f
tables (\f"0
Bot
seat (\rH\0\r
level (\rB\x07
_seat">
Link\r
token (	
\btoken_id (\f
\rexpires_at_ms ("q
CreateResponse*
\x07created (\v2.canasta.v1.CreatedGameH\0(
\brejected (\v2.canasta.v1.RejectedH\0B	
\x07outcome"ï
\vCreatedGame
\x07game_id (\f#
\x07log_end (\v2.canasta.v1.LogEnd-
\fobservations (\v2.canasta.v1.Observation#
	host_link (\v2.canasta.v1.Link"
dealt (\v2.canasta.v1.DealtH\0)
	waits_for (2.canasta.v1.WaitsForH\0B\x07
start"'
Dealt
to_act (\rH\0B	
\x07_to_act"
CreateSituationRequest"
CreateSituationResponse"Y
\rInviteRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor
\rexpires_at_ms ("0
InviteResponse
link (\v2.canasta.v1.Link"2
\rRevokeRequest
\x07game_id (\f
\btoken_id (\f"
RevokeResponse"
\rSetBotRequest
\x07game_id (\f

request_id (\f 
actor (\v2.canasta.v1.Actor
bot (\v2.canasta.v1.Bot\r
plays (\b"5
SetBotResponse#
\x07log_end (\v2.canasta.v1.LogEnd"ï
Clock
\fstarts_at_ms (H\0

ends_at_ms (H
\x07turn_ms (H
\x07bank_ms (H
\fincrement_ms (H
\bwarnings (\rHB
\r_starts_at_msB\r
\v_ends_at_msB

\b_turn_msB

\b_bank_msB
\r_increment_msB\v
	_warnings"

ClockState
now_ms (
\x07running (\rH\0
\fturn_left_ms (H$
seats (\v2.canasta.v1.SeatClockB

\b_runningB
\r_turn_left_ms"I
	SeatClock
\fbank_left_ms (H\0
\bwarnings (\rB
\r_bank_left_ms"Ã

ActRequest
\x07game_id (\f

request_id (\f
\fexpected_seq (H\0
\rexpected_head (\f'
	proposals (\v2.canasta.v1.Proposal$
	observers (\v2.canasta.v1.ActorB
\r_expected_seq"
\bProposal 
actor (\v2.canasta.v1.Actor$
action (\v2.canasta.v1.ActionH\0 
note (\v2.canasta.v1.NoteH\0(
\bregister (\v2.canasta.v1.RegisterH\0

elapsed_ms (H
	signature (\f
record_refusal\x07 (\b

checkpoint\b (\bB\b
recordB\r
\v_elapsed_ms"f
\vActResponse"
acted (\v2.canasta.v1.ActedH\0(
\brejected (\v2.canasta.v1.RejectedH\0B	
\x07outcome"
Acted#
\x07log_end (\v2.canasta.v1.LogEnd(

round_ends (\v2.canasta.v1.RoundEnd-
\fobservations (\v2.canasta.v1.Observation%
clock (\v2.canasta.v1.ClockState

checkpoint (	
repeated_request (\b%
\bgame_end\x07 (\v2.canasta.v1.GameEnd"t
\fWatchRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor
from_n (H\0
	want_view (\bB	
\x07_from_n"ñ
\rWatchResponse#
\x07log_end (\v2.canasta.v1.LogEnd,
\vobservation (\v2.canasta.v1.Observation
\bsnapshot (\b
\x07skipped (
taken_back_to_seq (H\0(
offer (\v2.canasta.v1.TakeBackOffer'
	round_end\x07 (\v2.canasta.v1.RoundEnd%
\bgame_end\b (\v2.canasta.v1.GameEnd%
clock	 (\v2.canasta.v1.ClockState\f
last
 (\b
	bot_seats\v (\r)
\x07present\f (\v2.canasta.v1.SeatPresence'
	end_offer\r (\v2.canasta.v1.EndOffer
room (\v2.canasta.v1.RoomB
_taken_back_to_seq"<
\fSeatPresence
seat (\rH\0
\bsince_ms (B\x07
_seat"C
GetGameRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor"
GetGameResponse#
\x07log_end (\v2.canasta.v1.LogEnd
view (\v2.canasta.v1.View%
clock (\v2.canasta.v1.ClockState(
offer (\v2.canasta.v1.TakeBackOffer
	bot_seats (\r'
	end_offer (\v2.canasta.v1.EndOffer
room\x07 (\v2.canasta.v1.Room"e
\fCheckRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor"
action (\v2.canasta.v1.Action"
\rCheckResponse#
\x07log_end (\v2.canasta.v1.LogEnd"
legal (\v2.canasta.v1.LegalH\0(
\brejected (\v2.canasta.v1.RejectedH\0B	
\x07outcome"n
ListActionsRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor
	page_size (

page_token (	"
ListActionsResponse#
\x07log_end (\v2.canasta.v1.LogEnd#
\x07actions (\v2.canasta.v1.Action
\bcomplete (\b
next_page_token (	"y
GetOptionsRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor\r
cards (	"
chosen (\v2.canasta.v1.Action"t
GetOptionsResponse#
\x07log_end (\v2.canasta.v1.LogEnd'
\x07options (\v2.canasta.v1.PlayOption
\bcomplete (\b"\`
SuggestRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor\f
seed (\r
level (\r"
SuggestResponse#
\x07log_end (\v2.canasta.v1.LogEnd"
action (\v2.canasta.v1.Action
reason (	'
	estimates (\v2.canasta.v1.Estimate"
CheckTakeBackRequest"
CheckTakeBackResponse"¨
DescribeRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor
from_n (H\0
to_n (H

page_token (	

want_views (\bB	
\x07_from_nB\x07
_to_n"~
DescribeResponse,
\x07records (\v2\x1B.canasta.v1.DescribedRecord
next_page_token (	#
\x07log_end (\v2.canasta.v1.LogEnd"Ê
TakeBackRequest
\x07game_id (\f

request_id (\f 
actor (\v2.canasta.v1.Actor
to_seq (H\0
\fexpected_seq (H$
	observers (\v2.canasta.v1.ActorB	
\x07_to_seqB
\r_expected_seq"¨
TakeBackResponse+

taken_back (\v2.canasta.v1.TakenBackH\0,
\x07offered (\v2.canasta.v1.TakeBackOfferH\0.
\x07refused (\v2\x1B.canasta.v1.TakeBackRefusedH\0B	
\x07outcome"o
	TakenBack#
\x07log_end (\v2.canasta.v1.LogEnd
to_seq (-
\fobservations (\v2.canasta.v1.Observation"J
\rTakeBackOffer
to_seq (
by (\rH\0
	waits_for (\rB
_by"\\
DeclineOfferRequest
\x07game_id (\f

request_id (\f 
actor (\v2.canasta.v1.Actor";
DeclineOfferResponse#
\x07log_end (\v2.canasta.v1.LogEnd"x
EndGameRequest
\x07game_id (\f

request_id (\f 
actor (\v2.canasta.v1.Actor
way (2.canasta.v1.EndWay"º
EndGameResponse#
\x07log_end (\v2.canasta.v1.LogEnd$
ended (\v2.canasta.v1.GameEndH\0'
\x07offered (\v2.canasta.v1.EndOfferH\0(
\brejected (\v2.canasta.v1.RejectedH\0B	
\x07outcome"V
\bEndOffer
way (2.canasta.v1.EndWay
by (\rH\0
	waits_for (\rB
_by"À
	RoomRules
\brule_set (	+
\vhouse_rules (\v2.canasta.v1.HouseRules'
	deal_mode (2.canasta.v1.DealMode 
clock (\v2.canasta.v1.Clock)

take_backs (2.canasta.v1.TakeBacks"[
CreateRoomRequest

request_id (\f$
rules (\v2.canasta.v1.RoomRules\f
name (	"s
CreateRoomResponse(
opened (\v2.canasta.v1.OpenedRoomH\0(
\brejected (\v2.canasta.v1.RejectedH\0B	
\x07outcome"n

OpenedRoom
room (\v2.canasta.v1.Room 
actor (\v2.canasta.v1.Actor
link (\v2.canasta.v1.Link"
OpenRoomRequest\f
code (	":
OpenRoomResponse&
opened (\v2.canasta.v1.OpenedRoom"Ï
ChangeRoomRequest
\x07room_id (\f

request_id (\f 
actor (\v2.canasta.v1.Actor'
\bsit_down (\v2.canasta.v1.SitDownH\0
\bstand_up (\rH\0
ready (\bH\0"
bot\x07 (\v2.canasta.v1.RoomBotH\0&
rules\b (\v2.canasta.v1.RoomRulesH\0&
\x07seating	 (\v2.canasta.v1.SeatingH\0'
\bnew_code
 (\v2.canasta.v1.NewCodeH\0B\b
change"5
\x07SitDown
chair (\rH\0\f
name (	B\b
_chair"E
\x07RoomBot
chair (\rH\0\r
plays (\b\r
level (\rB\b
_chair"
\x07Seating\r
seats (\r"	
\x07NewCode"<
ChangeRoomResponse&
opened (\v2.canasta.v1.OpenedRoom"
Room
\x07room_id (\f\f
code (	
\bown_code (	$
rules (\v2.canasta.v1.RoomRules%
chairs (\v2.canasta.v1.RoomChair
host (\rH\0
\x07seating\x07 (\r%
games\b (\v2.canasta.v1.GameOfRoom#
	game_link	 (\v2.canasta.v1.Link
\rexpires_at_ms
 (B\x07
_host"D
	RoomChair\f
name (	\v
bot (\b\r
ready (\b\r
level (\r"\`

GameOfRoom
\x07game_id (\f
chairs (\r
\x07players (	 
end (\v2.canasta.v1.GameEnd"b
\rGetLogRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor
from_n (H\0B	
\x07_from_n"i
GetLogResponse
frames (\f
n (H\0\f
last (\b#
\x07log_end (\v2.canasta.v1.LogEndB
_n"
ListGamesRequest"
ListGamesResponse"\r
\vGameSummary"T
GetVerdictRequest
\x07game_id (\f 
actor (\v2.canasta.v1.Actor\f
head (\f"v
GetVerdictResponse*
\x07verdict (\v2.canasta.v1.GameVerdictH\0)
\x07pending (2.canasta.v1.GameStatusH\0B	
\x07outcome"
\vGameVerdict,
report (\v2.canasta.v1.AuditLogResponse
\fjudged_at_ms (
\x07auditor (	

log_sha256 (\f
\varchived_as (	"
WatchGamesRequest"
WatchGamesResponse"

\bGameNews*:
\bWaitsFor
WAITS_FOR_UNSPECIFIED\0
WAITS_FOR_TABLE*k
	TakeBacks
TAKE_BACKS_UNSPECIFIED\0
TAKE_BACKS_NEVER
TAKE_BACKS_UNSEEN
TAKE_BACKS_AGREED*K
EndWay
END_WAY_UNSPECIFIED\0
END_WAY_AGREED
END_WAY_RESIGNED*¢

GameStatus\x1B
GAME_STATUS_UNSPECIFIED\0
GAME_STATUS_LIVE
GAME_STATUS_FINISHED
GAME_STATUS_JUDGED
GAME_STATUS_ARCHIVED
GAME_STATUS_STUCK2è\v
\rRecordServiceD
Create.canasta.v1.CreateRequest.canasta.v1.CreateResponse"P

CreateRoom.canasta.v1.CreateRoomRequest.canasta.v1.CreateRoomResponse"J
\bOpenRoom\x1B.canasta.v1.OpenRoomRequest.canasta.v1.OpenRoomResponse"P

ChangeRoom.canasta.v1.ChangeRoomRequest.canasta.v1.ChangeRoomResponse"D
Invite.canasta.v1.InviteRequest.canasta.v1.InviteResponse"D
Revoke.canasta.v1.RevokeRequest.canasta.v1.RevokeResponse"D
SetBot.canasta.v1.SetBotRequest.canasta.v1.SetBotResponse";
Act.canasta.v1.ActRequest.canasta.v1.ActResponse"C
Watch.canasta.v1.WatchRequest.canasta.v1.WatchResponse"0G
\x07GetGame.canasta.v1.GetGameRequest\x1B.canasta.v1.GetGameResponse"A
Check.canasta.v1.CheckRequest.canasta.v1.CheckResponse"S
\vListActions.canasta.v1.ListActionsRequest.canasta.v1.ListActionsResponse"P

GetOptions.canasta.v1.GetOptionsRequest.canasta.v1.GetOptionsResponse"G
\x07Suggest.canasta.v1.SuggestRequest\x1B.canasta.v1.SuggestResponse"J
\bDescribe\x1B.canasta.v1.DescribeRequest.canasta.v1.DescribeResponse"J
\bTakeBack\x1B.canasta.v1.TakeBackRequest.canasta.v1.TakeBackResponse"V
\fDeclineOffer.canasta.v1.DeclineOfferRequest .canasta.v1.DeclineOfferResponse"G
\x07EndGame.canasta.v1.EndGameRequest\x1B.canasta.v1.EndGameResponse"F
GetLog.canasta.v1.GetLogRequest.canasta.v1.GetLogResponse"0P

GetVerdict.canasta.v1.GetVerdictRequest.canasta.v1.GetVerdictResponse"BU

canasta.v1BRecordServiceProtoPZ$canasta.example/canasta/v1;canastav1ª
Canasta.V1bproto3`,[ye,hn,mn,et,De,Be,tt]);var Me=Ht(Rp,0);var Ap={FACT_TYPE_SEAT:"seat",FACT_TYPE_SEATS:"seat",FACT_TYPE_SIDE:"side",FACT_TYPE_MELD:"meld"};function $u(e,t=()=>{}){let n=new Map(e.map(s=>[`${s.kind} ${s.name}`,s]));return function s(o,a,r){let i=n.get(`${o} ${a}`)??n.get(`${o} ${a.replace(/[A-Z]/g,d=>`_${d.toLowerCase()}`)}`);if(!i)return"";let c={};for(let d of i.facts??[]){let p=xp(r,d.path).filter(g=>g!=="");if(d.optional&&(!p.length||p.includes("??")))continue;let m=d.type==="FACT_TYPE_NUMBER"&&typeof p[0]!="number",h=o==="WORDING_KIND_VALUE"?void 0:Ap[d.type],f=g=>t(d.type,g)??(h&&s("WORDING_KIND_VALUE",h,g)||String(g));c[d.name]=m?String(p.length):p.map(f).join(d.type==="FACT_TYPE_SEATS"?", ":" ")}return yn(i.template??"",c)}}function xp(e,t=""){return(t?t.split("."):[]).reduce((s,o)=>s.flatMap(a=>a?.[o]??[]),[e])}function yn(e,t){let n=e.indexOf("{");if(n<0)return e;let s=qu(e,n),[,o="",a,r=""]=/^\s*(\w*)(?:, (plural|select), (.*))?/s.exec(e.slice(n+1,s)),i=t[o]??"none",c=p=>p==="other"||(a==="select"?p===i:p===`=${i}`||p==="one"&&Math.abs(Number(i))===1),d=a?"":i;for(let p=0;a&&p<r.length;){let m=r.indexOf("{",p),h=qu(r,m);if(m<0)break;if(c(r.slice(p,m).trim())){d=yn(r.slice(m+1,h),t);break}p=h+1}return e.slice(0,n)+d+yn(e.slice(s+1),t)}function qu(e,t){for(let n=t,s=0;n<e.length;n++)if(s+=e[n]==="{"?1:e[n]==="}"?-1:0,s===0)return n;return e.length}var vn=(e,t)=>ht(e,t,{useProtoFieldName:!0,alwaysEmitImplicit:!0});async function Wu(e,t="en"){let n=G(te,e),s=[];for(let o="";;){let a=await n.getCatalogue({languageCode:t,pageToken:o});if(s.push(...vn(Cu,a).wordings),o=a.nextPageToken,o==="")return s}}var k0=class{constructor(t,n,s){this.view=n;this.side=s;let o=n?.actor?.who?.value;n?.actor?.who?.case==="seat"&&(this.side??=n.seats.find(a=>a.seat===o)?.side),this.say=$u(t,(a,r)=>this.write(a,r))}view;side;say;write(t,n){let{view:s,side:o}=this;switch(t){case"FACT_TYPE_SEAT":case"FACT_TYPE_SEATS":return s?.seats.find(a=>a.seat===n)?.name||void 0;case"FACT_TYPE_SIDE":return s?.seats.filter(a=>a.side===n&&a.name).map(a=>a.name).join(" & ")||void 0;case"FACT_TYPE_MELD":return s?.sides.find(a=>a.side===o)?.melds.find(a=>a.id===n)?.cards.join(" ");default:return}}finish(t){return t}of(t,n,s){let[[o,a]=["",{}]]=Object.entries(vn(n,s));return this.say(t,o,a)}event(t){let[n,{value:s}]=[this.side,t.kind];s&&"side"in s&&(this.side=s.side);let o=this.of("WORDING_KIND_EVENT",Ou,t);return this.side=n,this.finish(o)}action(t){return this.finish(this.of("WORDING_KIND_ACTION",Mu,t)||(t.kind.case??""))}violation(t){let n=this.say("WORDING_KIND_CODE",t.code,vn(Uu,t));return this.finish(n||t.message||t.code)}repair(t){return this.finish(this.say("WORDING_KIND_REPAIR",t.name,vn(Bu,t))||t.message)}line(t){return this.finish(this.say("WORDING_KIND_SCORE_LINE",t.item,vn(Gu,t))||t.item)}reason(t){return this.finish(this.say("WORDING_KIND_REASON",t,{}))}sideName(t){return this.write("FACT_TYPE_SIDE",t)??`side ${t}`}ownerName({owner:t}){return t.case==="side"?this.sideName(t.value):this.write("FACT_TYPE_SEAT",t.value)??`seat ${t.value}`}};function Vu(){try{new Headers}catch{throw new Error("connect-web requires the fetch API. Are you running on an old version of Node.js? Node.js is not supported in Connect for Web - please stay tuned for Connect for Node.")}}function En(e,t){let n=c0(e);if(n)throw t.forEach((s,o)=>{n.metadata.append(o,s)}),n;if(!t.has(xe)&&!e.has(xe))throw new O("protocol error: missing status",x.Internal)}function R0(e,t,n,s){var o,a;let r=new Headers(n??{});r.set(Rs,e?eu:tu),r.set(Qr,"1");let i=(a=(o=r.get(i0))!==null&&o!==void 0?o:r.get(Ts))!==null&&a!==void 0?a:"connect-es/2.1.2";return r.set(Ts,i),s&&r.set(i0,i),t!==void 0&&r.set(As,`${t}m`),r}function Fu(e){switch(e){case 400:return x.Internal;case 401:return x.Unauthenticated;case 403:return x.PermissionDenied;case 404:return x.Unimplemented;case 429:return x.Unavailable;case 502:return x.Unavailable;case 503:return x.Unavailable;case 504:return x.Unavailable;default:return x.Unknown}}function A0(e,t){var n;if(e>=200&&e<300)return{foundStatus:t.has(xe),headerError:c0(t)};throw new O(decodeURIComponent((n=t.get(un))!==null&&n!==void 0?n:`HTTP ${e}`),Fu(e),t)}var _t=function(e){return this instanceof _t?(this.v=e,this):new _t(e)},Tp=function(e,t,n){if(!Symbol.asyncIterator)throw new TypeError("Symbol.asyncIterator is not defined.");var s=n.apply(e,t||[]),o,a=[];return o=Object.create((typeof AsyncIterator=="function"?AsyncIterator:Object).prototype),i("next"),i("throw"),i("return",r),o[Symbol.asyncIterator]=function(){return this},o;function r(f){return function(g){return Promise.resolve(g).then(f,m)}}function i(f,g){s[f]&&(o[f]=function(b){return new Promise(function(y,v){a.push([f,b,y,v])>1||c(f,b)})},g&&(o[f]=g(o[f])))}function c(f,g){try{d(s[f](g))}catch(b){h(a[0][3],b)}}function d(f){f.value instanceof _t?Promise.resolve(f.value.v).then(p,m):h(a[0][2],f)}function p(f){c("next",f)}function m(f){c("throw",f)}function h(f,g){f(g),a.shift(),a.length&&c(a[0][0],a[0][1])}},Ku={redirect:"error"};function Sn(e){var t;Vu();let n=(t=e.useBinaryFormat)!==null&&t!==void 0?t:!0;return{async unary(s,o,a,r,i,c){let{serialize:d,parse:p}=l0(s,n,e.jsonOptions,e.binaryOptions);return a=a===void 0?e.defaultTimeoutMs:a<=0?void 0:a,await Ds({interceptors:e.interceptors,signal:o,timeoutMs:a,req:{stream:!1,service:s.parent,method:s,requestMethod:"POST",url:d0(e.baseUrl,s),header:R0(n,a,r,!1),contextValues:c??r0(),message:i},next:async m=>{var h;let g=await((h=e.fetch)!==null&&h!==void 0?h:globalThis.fetch)(m.url,Object.assign(Object.assign({},Ku),{method:m.requestMethod,headers:m.header,signal:m.signal,body:Ut(0,d(m.message))})),{headerError:b}=A0(g.status,g.headers);if(!g.body)throw b!==void 0?b:"missing response body";let y=a0(g.body).getReader(),v,k;for(;;){let A=await y.read();if(A.done)break;let{flags:N,data:w}=A.value;if((N&o0)===o0)throw new O("protocol error: received unsupported compressed output",x.Internal);if(N===128){if(v!==void 0)throw"extra trailer";v=u0(w);continue}if(k!==void 0)throw new O("extra message",x.Unimplemented);k=p(w)}if(v===void 0)throw b!==void 0?b:new O("missing trailer",g.headers.has(xe)?x.Unimplemented:x.Unknown);if(En(v,g.headers),k===void 0)throw new O("missing message",v.has(xe)?x.Unimplemented:x.Unknown);return{stream:!1,service:s.parent,method:s,header:g.headers,message:k,trailer:v}}})},async stream(s,o,a,r,i,c){let{serialize:d,parse:p}=l0(s,n,e.jsonOptions,e.binaryOptions);function m(f,g,b,y,v){return Tp(this,arguments,function*(){let A=a0(f).getReader();if(g){if(!(yield _t(A.read())).done)throw"extra data for trailers-only";return yield _t(void 0)}let N=!1;for(;;){let w=yield _t(A.read());if(w.done)break;let{flags:j,data:X}=w.value;if((j&128)===128){if(N)throw"extra trailer";N=!0;let z=u0(X);En(z,y),z.forEach((S,M)=>b.set(M,S));continue}if(N)throw"extra message";yield yield _t(p(X))}if("throwIfAborted"in v&&v.throwIfAborted(),!N)throw"missing trailer"})}async function h(f){if(s.methodKind!="server_streaming")throw"The fetch API does not support streaming request bodies";let g=await f[Symbol.asyncIterator]().next();if(g.done==!0)throw"missing request message";return Ut(0,d(g.value))}return a=a===void 0?e.defaultTimeoutMs:a<=0?void 0:a,Ms({interceptors:e.interceptors,signal:o,timeoutMs:a,req:{stream:!0,service:s.parent,method:s,requestMethod:"POST",url:d0(e.baseUrl,s),header:R0(n,a,r,!1),contextValues:c??r0(),message:i},next:async f=>{var g;let y=await((g=e.fetch)!==null&&g!==void 0?g:globalThis.fetch)(f.url,Object.assign(Object.assign({},Ku),{method:f.requestMethod,headers:f.header,signal:f.signal,body:await h(f.message)})),{foundStatus:v,headerError:k}=A0(y.status,y.headers);if(k!=null)throw k;if(!y.body)throw"missing response body";let A=new Headers;return Object.assign(Object.assign({},f),{header:y.headers,trailer:A,message:m(y.body,v,A,y.headers,f.signal)})}})}}}var[ju,Np]=[250,8e3],[Ip,Dp]=[12e3,1e4],Mp=3e4,Ys={UNAVAILABLE:"again",DEADLINE_EXCEEDED:"again",CANCELLED:"again",OVERLOADED:"again",RATE_LIMITED:"again",INTERNAL:"once",STALE_HEAD:"resynchronise"},wn={away:e=>new Promise(t=>setTimeout(t,e)),back:()=>{}};function Se({baseUrl:e,token:t,outage:n=wn,deadlineMs:s=Mp,interceptors:o=[]}){let a=[...t===void 0?[]:[Op(t)],Cp(n,s)];return Sn({baseUrl:e,interceptors:[...o,...a]})}var nt=(e,{signal:t,timeoutMs:n})=>({unary:(s,o,a,...r)=>e.unary(s,o??t,a??n,...r),stream:(s,o,a,...r)=>e.stream(s,o??t,a,...r)});function Op(e){return t=>n=>(n.header.set("authorization",`Bearer ${e}`),t(n))}function Cp(e,t){return n=>s=>{if(s.stream)return n(s).then(a=>(e.back(),a));let o=s.header.has("grpc-timeout")?1/0:t;return Qs(a=>a.hear(n({...s,signal:a.signal})),e,s.signal,o)}}async function Qs(e,t,n,s){let o=Date.now()+s;for(let[a,r]=[ju,1];;a=kn(a),r++){let i=new _n(n,Math.min(Ip,o-Date.now()));try{let c=await e(i);return t.back(),c}catch(c){let d=i.trouble(c),p=d.delay(a,r);if(n?.aborted||p===void 0||p>Dp||Date.now()+p>=o||(await eo(t,p,n),n?.aborted))throw d}finally{i.end()}}}var _n=class{constructor(t,n){this.outer=t;this.ms=n;t?.addEventListener("abort",this.end),t?.aborted&&this.end()}outer;ms;controller=new AbortController;isSilent=!1;signal=this.controller.signal;async hear(t){let n=setTimeout(()=>{this.isSilent=!0,this.end()},this.ms);return t.finally(()=>clearTimeout(n))}async*listen(t){let n=t[Symbol.asyncIterator]();for(;;){let{done:s,value:o}=await this.hear(n.next());if(s)return;yield o}}trouble(t){return this.isSilent?new L("DEADLINE_EXCEEDED",`nothing came for ${this.ms/1e3} s`):L.of(t)}end=()=>{this.outer?.removeEventListener("abort",this.end),this.controller.abort()}};function eo(e,t,n){return new Promise(s=>{let o=()=>{n?.removeEventListener("abort",o),s()};n?.addEventListener("abort",o),e.away(t).then(o)})}var kn=e=>e===void 0?ju:Math.min(2*e,Np),L=class e extends Error{constructor(n,s,o,a=Ys[n]??"never"){super(s);this.reason=n;this.retryMs=o;this.retry=a}reason;retryMs;retry;delay(n,s){if(!(this.retry!=="again"&&(this.retry!=="once"||s>1)))return Math.max(n*(1-Math.random()/2),this.retryMs??0)}static of(n){if(n instanceof e)return n;let s=O.from(n);if(s.cause instanceof e)return s.cause;let o=s.cause instanceof TypeError?"UNAVAILABLE":Lp(s.code),[a,r]=[o,void 0];for(let i of s.details)"type"in i&&(i.type==="google.rpc.ErrorInfo"&&(a=Gp(i.value,1)??a),i.type==="google.rpc.RetryInfo"&&(r=Pp(i.value)));return new e(a,s.rawMessage,r,Ys[a]??Ys[o])}},Lp=e=>e===x.Canceled?"CANCELLED":(x[e]??"Unknown").replace(/(?!^)[A-Z]/g,"_$&").toUpperCase();function*Zs(e){let t=new Ee(e);for(;t.pos<t.len;){let[n,s]=t.tag(),o=t.pos;yield{no:n,reader:t},t.pos===o&&t.skip(s)}}function Gp(e,t){for(let{no:n,reader:s}of Zs(e))if(n===t)return s.string()}function Pp(e){for(let{no:t,reader:n}of Zs(e)){if(t!==1)continue;let s=0;for(let o of Zs(n.bytes()))o.no===1?s+=Number(o.reader.int64())*1e3:o.no===2&&(s+=Math.ceil(o.reader.int32()/1e6));return s}}var le=e=>({who:{case:"seat",value:e}}),wt=e=>({who:{case:"role",value:e}}),Wt=wt(1),He=wt(2),to=wt(4),J=e=>e?.who?.case==="seat"?e.who.value:void 0,qe=(e=[],t={})=>e.length+Object.keys(t).length>0?{variations:e,knobs:t}:void 0,P=e=>[...e].map(t=>t.toString(16).padStart(2,"0")).join(""),no=e=>Uint8Array.from(e.match(/../g)??[],t=>Number.parseInt(t,16)),Oe=(e=16)=>crypto.getRandomValues(new Uint8Array(e));function $e(e){let t=new Uint8Array(e.reduce((s,o)=>s+o.length,0)),n=0;for(let s of e)t.set(s,n),n+=s.length;return t}var zu=6e4,Up=32e3;function*T0(e,t){yield{part:{case:"question",value:e}};for(let n=0;n<t.length;n+=zu)yield{part:{case:"chunk",value:t.subarray(n,n+zu)}}}async function so(e,t,n,s,o,a){try{return await(typeof e=="string"?Hp(e,t,n,s,o,a):Bp(e,t,n,s,a))}catch(r){throw L.of(r)}}function Bp(e,t,n,s,o){async function*a(){yield*T0(n,s)}return G(w0,e)[t](a(),{signal:o})}async function Hp(e,t,n,s,o,a){let{input:r}=w0.method[t],i=new Blob([...T0(n,s)].map(p=>Ut(0,Ie(r,Z(r,p))))),c=Sn({baseUrl:e,fetch:(p,m)=>fetch(p,{...m,body:i})}),d=o===void 0?void 0:{authorization:`Bearer ${o}`};return(await c.unary({...w0.method[t],methodKind:"unary"},a,Up,d,{})).message}var qp=30;function Vt(e){let t=qp,n=()=>{let[o=0,a=0,r=0]=e.subarray(t);t+=o<251?1:3;let i=e.subarray(t,t+=o<251?o:a+256*r);return new TextDecoder().decode(i)},[,,s]=[n(),n(),n()];return s?.startsWith("{")?s:void 0}async function N0(e,t,n,s,o){return await so(e,"auditLog",{actor:Wt,live:n},t,o,s)}async function Ju(e,t,n,s,o,a){return await so(e,"explainStep",{actor:s,n},t,o,a)}async function Ft(e,t,n,s=0n,o=void 0,a=!1,r,i){let c=[];for(let d="";;){let m=await so(e,"describeLog",{actor:n,fromN:s,toN:o,pageToken:d,wantViews:a},t,r,i);if(c.push(...m.records),d=m.nextPageToken,d==="")return c}}var _e=class e{constructor(t,n,s,o,a,r,i,c){this.client=t;this.judge=n;this.store=s;this.start=o;this.id=a;this.state=r;this.frames=i;this.view=c;this.actor=le(o.player)}client;judge;store;start;id;state;frames;view;actor;level=0;end;waiting=[];wake=()=>{};steps=[];static async create(t,n,s,o){let a=G(te,t),{outcome:r}=await a.createGame({ruleSet:o.ruleSet,houseRules:qe(o.variations,o.knobs),dealMode:1,players:o.players.map(f=>({name:f})),startedAtMs:BigInt(Date.now()),dealer:o.dealer,observers:[le(o.player)],...o.given});if(r.case!=="created")return r.value;let{state:i,frames:c,gameId:d,observations:p}=r.value,m=p[0]?.view,h=new e(a,n,s,o,P(d),i,[c],m);return h.view=h.named(m),h.keep(void 0),h}static async resume(t,n,s,o){let a=G(te,t),r=Re(o.state),i=(await a.getView({state:r,actor:le(o.seat)})).view,{ruleSet:c,players:d,player:p}=o,m=o.frames.map(f=>Re(f)),h=new e(a,n,s,{ruleSet:c,players:d,player:p},o.id,r,m,i);return h.end=o.end===void 0?void 0:Z(js,o.end),h.actor=le(o.seat),h.view=h.named(i),h}keep(t){let{id:n,view:s,start:{ruleSet:o,players:a,player:r}}=this;this.store.keep({id:n,ruleSet:o,players:a,player:r,title:s.title,round:s.round,seat:this.seat,state:he(this.state),frames:this.frames.map(i=>he(i)),end:this.end&&ht(js,this.end),at:Date.now()},t)}get seat(){return this.view.seats.find(t=>t.player===this.start.player)?.seat??this.start.player}named(t){for(let n of t.seats)n.name=this.start.players[n.player]??n.name;return t}async*news(t){for(yield{view:this.view,events:[],gameEnd:this.end,botSeats:[],present:[],skipped:0};!t.aborted;){let n=this.waiting.shift();if(n)yield n;else{if(this.end)return;this.isMine?await this.woken(t):await this.others()}}}woken(t){return new Promise(n=>{this.wake=n,t.addEventListener("abort",()=>n())})}get isMine(){let{view:t,seat:n}=this;return t.toAct===n||t.talonOffered===n}async others(){let t=[this.view.talonOffered,this.view.toAct].filter(n=>n!==void 0&&n!==this.seat);for(let n of[...t.map(s=>le(s)),Wt]){let{action:s}=await this.client.suggestAction({state:this.state,actor:n,seed:this.view.seq,level:this.level});if(!s)continue;let o=await this.apply(n,s);if(o)throw new Error(`a suggestion was refused: ${o.violations[0]?.message}`);this.steps=[];return}throw new Error("nobody can act")}async apply(t,n,s){let o=[this.actor],{outcome:a}=await this.client.applyAction({state:this.state,actor:t,action:n,earlierState:s,observers:o});if(a.case==="rejected")return a.value;let{state:r,frames:i,roundEnd:c,gameEnd:d,observations:p}=a.value,m=he(this.state);[this.state,this.end]=[r,d],this.frames.push(i);let{events:h=[],view:f=this.view,roundOver:g}=p[0]??{};this.view=this.named(f),this.seat!==this.view.actor?.who?.value&&await this.moved(),this.keep(m),this.waiting.push({view:this.view,events:h,roundEnd:c,roundOver:g&&this.named(g),gameEnd:d,botSeats:[],present:[],skipped:0}),this.wake()}async moved(){this.actor=le(this.seat),this.view=this.named((await this.client.getView({state:this.state,actor:this.actor})).view)}async act(t,n){if(n!==this.view.seq)return{case:"stale"};let s={state:this.state,frames:this.frames.length},o=await this.apply(this.actor,t);return o?{case:"refused",violations:o.violations}:(this.steps.push(s),{case:"done",seq:this.view.seq})}options(t,n){return this.client.options({state:this.state,actor:this.actor,cards:t,chosen:n})}async legal(){return(await this.client.listLegalActions({state:this.state,actor:this.actor})).actions}suggest(t=0){return this.client.suggestAction({state:this.state,actor:this.actor,seed:this.view.seq,level:t})}async takeBack(){let t=this.steps.at(-1);if(!t)return{case:"refused",refused:void 0};let n=$e(this.frames.slice(t.frames)),s={state:this.state,actor:this.actor,earlierState:t.state,frames:n},{ruling:o,earlierState:a,refused:r}=await this.client.previewTakeBack(s);return!o||r?{case:"refused",refused:r}:await this.apply(wt(3),o,a)?{case:"refused",refused:void 0}:(this.steps.pop(),{case:"done"})}async describe(t,n,s){return Ft(this.judge,await this.log(),this.actor,t,n,s)}async ruleSet(){return Vt(this.frames[0]??new Uint8Array)}async log(){return $e(this.frames)}};var Wp=4e4,Vp=30*864e5-6e4,Fp=6e4;function We(e){try{let t=(e.split(".")[1]??"").replaceAll("-","+").replaceAll("_","/"),{games:n,as:s,host:o,exp:a}=JSON.parse(atob(t)),[r="",i=""]=[n[0],s[0]];if(!/^[0-9a-f]{32}$/.test(r))return;let c=typeof i=="number"?le(i):wt(_0[i]??4);return{token:e,gameId:no(r),actor:c,isHost:o===!0,expiresAtMs:a*1e3}}catch{return}}async function Xu(e,t){let{outcome:n}=await G(Me,e).create({requestId:Oe(),...t});if(n.case==="rejected")return n.value;let s=We(n.value?.hostLink?.token??"");if(!s)throw new L("Unknown","the answer has no link: name a creator");return s}var st=class e{constructor(t,n,s,o=wn,a){this.transport=t;this.gameId=n;this.actor=s;this.outage=o;this.signal=a;this.id=P(n),this.client=G(Me,t)}transport;gameId;actor;outage;signal;id;client;within(t){return new e(nt(this.transport,t),this.gameId,this.actor,this.outage,t.signal)}async*news(t){let[n,s,o,a]=[void 0,void 0,void 0,void 0],r=()=>({gameId:this.gameId,actor:this.actor,fromN:n,wantView:!0});for await(let i of oo(this.client,r,this.outage,t))if(s=i.observation?.view??s,n=(i.logEnd?.n??0n)+1n,i.observation&&([o,a]=[i.offer,i.endOffer]),s&&(yield Kp({...i,offer:o,endOffer:a},s)),s?.phase===7)return}async act(t,n,s=Oe()){let o=[{actor:this.actor,record:{case:"action",value:t}}];try{let{outcome:a}=await this.client.act({gameId:this.gameId,requestId:s,expectedSeq:n,proposals:o});return a.case==="rejected"?{case:"refused",violations:a.value.violations}:{case:"done",seq:a.value?.logEnd?.seq??n}}catch(a){let r=L.of(a);if(r.retry!=="resynchronise")throw r;return{case:"stale"}}}game(){return this.client.getGame({gameId:this.gameId,actor:this.actor})}options(t,n){return this.client.getOptions({gameId:this.gameId,actor:this.actor,cards:t,chosen:n})}async legal(){return(await this.client.listActions({gameId:this.gameId,actor:this.actor})).actions}suggest(t=0){return this.client.suggest({gameId:this.gameId,actor:this.actor,level:t})}async takeBack(t,n,s=Oe()){try{let o={gameId:this.gameId,requestId:s,actor:this.actor,toSeq:t,expectedSeq:n},{outcome:a}=await this.client.takeBack(o);return a.case==="offered"?{case:"offered",offer:a.value}:a.case==="refused"?{case:"refused",refused:a.value}:{case:"done"}}catch(o){let a=L.of(o);if(a.retry!=="resynchronise")throw a;return{case:"refused",refused:void 0}}}endGame(t,n=Oe()){return this.client.endGame({gameId:this.gameId,requestId:n,actor:this.actor,way:t})}async declineOffer(t=Oe()){await this.client.declineOffer({gameId:this.gameId,requestId:t,actor:this.actor})}async describe(t,n,s){let o=[];for(let a="";;){let r=await this.client.describe({gameId:this.gameId,actor:this.actor,fromN:t,toN:n,pageToken:a,wantViews:s});if(o.push(...r.records),a=r.nextPageToken,a==="")return o}}async ruleSet(){let[t]=await this.pieces(1);return t&&Vt(t)}async log(){return $e(await this.pieces(1/0))}pieces(t){return Qs(async n=>{let s=[],o=this.client.getLog({gameId:this.gameId,actor:this.actor},{signal:n.signal});for await(let{frames:a}of n.listen(o))if(s.push(a)>=t)break;return s},this.outage,this.signal,Fp)}async invite(t,n=Date.now()+Vp){let{link:s}=await this.client.invite({gameId:this.gameId,actor:t,expiresAtMs:BigInt(n)});return s&&We(s.token)}async revoke(t){let n=JSON.parse(atob((t.split(".")[1]??"").replaceAll("-","+").replaceAll("_","/")));await this.client.revoke({gameId:this.gameId,tokenId:no(n.jti)})}async setBot(t,n,s=0){await this.client.setBot({gameId:this.gameId,requestId:Oe(),actor:this.actor,bot:{seat:t,level:s},plays:n})}verdict(){return this.client.getVerdict({gameId:this.gameId,actor:this.actor})}get seat(){return J(this.actor)}};async function*oo(e,t,n,s){for(let[o,a]=[kn(),1];!s.aborted;o=kn(o),a++){let r=new _n(s,Wp);try{for await(let i of r.listen(e.watch(t(),{signal:r.signal})))[o,a]=[kn(),1],yield i}catch(i){let c=r.trouble(i),d=c.delay(o,a);if(s.aborted)return;if(d===void 0)throw c;await eo(n,d,s)}finally{r.end()}}}function Kp(e,t){let{observation:n,snapshot:s,roundEnd:o,gameEnd:a,clock:r,offer:i,endOffer:c,takenBackToSeq:d,botSeats:p,present:m,skipped:h}=e,f=s?[]:n?.events??[];return{view:t,events:f,roundEnd:o,roundOver:n?.roundOver,gameEnd:a,clock:r,offer:i,endOffer:c,takenBackToSeq:d,botSeats:p,present:m,skipped:Number(h)}}var Ve=class e{constructor(t,n,s){this.options=t;this.calls=n;this.take(s)}options;calls;client;token="";actor;room;moved=()=>{};static async create(t,n,s,o=Oe(),a={}){let r=G(Me,nt(Se(t),a)),{outcome:i}=await r.createRoom({requestId:o,rules:n,name:s});return i.case==="rejected"?i.value:new e(t,a,i.value)}static async enter(t,n,s={}){let{opened:o}=await G(Me,nt(Se(t),s)).openRoom({code:n});return new e(t,s,o)}static async back(t,n,s={}){let o=We(n);if(!o)throw new L("UNAUTHENTICATED","no token of a link");let a=G(Me,nt(Se({...t,token:n}),s)),{room:r}=await a.getGame({gameId:o.gameId,actor:o.actor});if(!r)throw new L("NOT_FOUND","the token is for a game and no room");return new e(t,s,{room:r,actor:o.actor,link:{token:n}})}async*news(t){for(;!t.aborted;){let n=new AbortController,s=()=>n.abort();this.moved=s,t.addEventListener("abort",s);try{let o=()=>({gameId:this.room.roomId,actor:this.actor});for await(let{room:a,present:r}of oo(this.client,o,this.options.outage??wn,n.signal))a&&!n.signal.aborted&&(yield{room:this.room=a,present:r})}finally{t.removeEventListener("abort",s)}}}async change(t,n=Oe()){let{opened:s}=await this.client.changeRoom({roomId:this.room.roomId,requestId:n,actor:this.actor,change:t});return this.take(s),this.room}async look(){let{room:t}=await this.client.getGame({gameId:this.room.roomId,actor:this.actor});return this.room=t??this.room}game(){let t=We(this.room.gameLink?.token??"");if(!t)return;let n=nt(Se({...this.options,token:t.token}),this.calls);return new st(n,t.gameId,t.actor,this.options.outage,this.calls.signal)}get chair(){return J(this.actor)}take({room:t,actor:n,link:s}){this.room=t??this.room,this.actor=n??this.actor;let o=s?.token??this.token;o!==this.token&&(this.token=o,this.client=G(Me,nt(Se({...this.options,token:o}),this.calls)),this.moved())}};var jp=Symbol.for("pv"),zp=0;function u(e,t,n,s,o,a){t||(t={});var r,i,c=t;if("ref"in c&&typeof e!="function")for(i in c={},t)i=="ref"?r=t[i]:c[i]=t[i];var d={type:e,props:c,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:jp,__v:--zp,__i:-1,__u:0};return(o||a)&&(d.__source=o,d.__self=a),H.vnode&&H.vnode(d),d}var Yu="cdhs",Jp="A23456789TJQK";var Xp="AKQJT98765432X",Yp={c:"♣",d:"♦",h:"♥",s:"♠"},Kt=e=>e.charAt(0),jt=e=>e.charAt(1),kt=e=>Kt(e)==="X"||Kt(e)==="2";function Ke(e){return e==="X"?"Joker":e==="T"?"10":`${Kt(e)==="T"?"10":Kt(e)}${Yp[jt(e)]??""}`}function Fe(e){let t=n=>Xp.indexOf(Kt(n))*4+(3-Yu.indexOf(jt(n)));return[...e].sort((n,s)=>t(n)-t(s))}var Zu=["rank","suit","own"],Zp="shcd";function ao(e,t,n){if(t==="own"){let o=[...e];return[...n.filter(r=>o.includes(r)&&o.splice(o.indexOf(r),1)),...o]}if(t!=="suit")return Fe(e);let s=o=>kt(o)?9:Zp.indexOf(jt(o));return Fe(e).sort((o,a)=>s(o)-s(a))}function ro(e){return[...Fe(e.filter(kt)),...Fe(e.filter(t=>!kt(t)))]}function me({card:e,kind:t=""}){let n=e==="X"?52:13*Yu.indexOf(jt(e))+Jp.indexOf(Kt(e)),s=e==="back"||e==="??"?"#back":`#c${n}`;return u("svg",{class:`face ${t}`,viewBox:"0 0 62 88","aria-hidden":"true",children:u("use",{href:s})})}var[Rn,I0,uo,Qu,io]=["canasta.game.","canasta.room.","canasta.hand.","canasta.set.","canasta.current"],co=8;function zt(e,t){try{return JSON.parse(e.getItem(t)??"")}catch{return}}function D0(e,t){try{return localStorage.setItem(e,JSON.stringify(t)),!0}catch{return!1}}function lo(e){return Object.keys(localStorage).filter(n=>n.startsWith(e)).map(n=>zt(localStorage,n)).filter(n=>n!==void 0).sort((n,s)=>s.at-n.at)}var je=()=>Number(ie("level")??3),ie=e=>zt(localStorage,Qu+e),ce=(e,t)=>{D0(Qu+e,t)},po=()=>lo(Rn),xn=()=>lo(I0),fo=e=>zt(localStorage,I0+e);function Tn(e){for(let t of xn().filter(n=>n.id!==e.id).slice(co-1))localStorage.removeItem(I0+t.id);D0(I0+e.id,{...fo(e.id),...e,at:Date.now()})}var ei=e=>zt(localStorage,uo+e);function ti(e,t,n){let s=uo+e;for(let o of lo(uo).filter(a=>a.key!==s).slice(co-1))localStorage.removeItem(o.key);D0(s,{key:s,order:t,own:n,at:Date.now()})}var mo=e=>xn().find(t=>t.codes?.includes(e)),ni=()=>zt(localStorage,Rn+sessionStorage.getItem(io)),si=e=>sessionStorage.setItem(io,e),go=()=>sessionStorage.removeItem(io),An=class extends Error{},ho=!0,bo=e=>({keep(t,n){let s=zt(localStorage,Rn+t.id);if(n!==void 0&&s!==void 0&&s.state!==n)throw new An;for(let o of po().filter(a=>a.id!==t.id).slice(co-1))localStorage.removeItem(Rn+o.id);ho=D0(Rn+t.id,{...t,isLocal:e})}});var Nn={"hero.rooms":"Play with friends: choose a game, send them one link, and begin.","hero.alone":"Play against bots. Every card, every move and every refusal comes from the rules service.","hero.local":"The server cannot be reached. You can play against bots here meanwhile: this device judges every move itself.","playNow.title":"Play against bots",playNow:"Play now",setUp:"Set up …",withFriends:"With friends …",allGames:"All {games} games",filter:"Number of players","filter.all":"All",players:"{players} players",packs:"{packs, plural, one {1 pack} other {{packs} packs}}",target:"to {points} points",rounds:"{rounds, plural, one {1 round} other {{rounds} rounds}}",kept:"Go on with a game",load:"Look at a game again","load.note":"A log of a finished game shows every card. The file stays on your device, and the service forgets it at once.","load.choose":"Open a log (.clog)","load.failed":"This file cannot be shown.",seats:"Who plays?",me:"Me",bot:"Bot",player:"Player {number}","name.of":"Name of player {number}",variations:"Variations",house:"All rules","house.note":"Every rule of this game can be changed. What does not go together is said below, and games that are played with your rules keep them in their log.","house.search":"Search the rules","house.differs":"Only what differs","house.was":"Here it is: {value}.","house.reset":"Set it back","house.none":"No rule has these words.","house.digest":"These rules can be played. Their digest begins with {digest}.","house.save":"Save these rules","house.open":"Open a file of rules","house.unread":"This is not a file of rules made from {base}.","house.bands":"By score, for example 0: 15, 1500: 50, 120 is 15 below 0, 50 below 1,500, and 120 above; by round, for example 50, 90, 120.","house.numbers":"Numbers with commas between them.",yes:"Yes",no:"No",length:"Length",level:"Strength of bots (1 weak, 6 strong)","length.whole":"The whole game","clock.choose":"Clock","clock.none":"No clock","clock.turn":"{seconds} seconds a turn","clock.bank":"{minutes} minutes each, {seconds} seconds more a turn",clock:"{time} left",takeBacks:"Take-backs","takeBacks.1":"Never","takeBacks.2":"Own moves that showed no card","takeBacks.3":"Also others, if the other side agrees",word:"Seed word","word.note":"The same word deals the same cards. Leave it empty for cards that nobody knows.","begin.room":"Play with friends","begin.alone":"Sit down and deal",back:"Back",language:"Language",loading:"One moment …",away:"The table cannot be reached. Nothing is lost; the page keeps trying.",tryNow:"Try now",reload:"Load again",newGame:"New game",menu:"Menu",close:"Close",unkept:"This browser does not keep the game: a reload would lose it. Download the log before you leave.",table:"The table",seat:"seat {number}",side:"side {number}","seats.left":"Seats on the left","seats.top":"Seats opposite","seats.right":"Seats on the right",partner:"partner",opponent:"opponent",points:"{points} points",foot:"foot of {cards}",holds:"{name} holds {cards}",loose:"may return",dealer:"Dealer","dealer.short":"D",cards:"{cards, plural, one {1 card} other {{cards} cards}}",threes:"threes: {cards}","melds.of":"Melds of {side}",needs:"opens with {points}","target.legal":"may go here","target.short":"may go here with more","target.illegal":"may not go here; press to learn why",staged:"laid aside: {cards}","new.NEW_SET":"New set","new.NEW_WILD":"New wild meld","new.NEW_SEQUENCE":"New sequence","new.NEW_BLACK_THREES":"Black threes",minimum:"{found} of {required}",centre:"Stock and pile",stock:"Stock, {cards, plural, one {1 card} other {{cards} cards}}","stock.caption":"Stock",pile:"Pile, {card} on top, {cards, plural, one {1 card} other {{cards} cards}}","pile.empty":"Pile, empty","pile.caption":"Pile",taken:"taken for now",talon:"talon of {cards}","talon.of":"talon of {name}: {cards}",round:"Round {round}",drawing:"Drawing for seats",frozen:"frozen: {why}","frozen.WILD":"a wild card lies in it","frozen.RED_THREE":"a red three lies in it","frozen.NOT_OPENED":"your side has not melded","frozen.ALWAYS":"always","frozen.START":"until it is first taken",draw:"Draw",hand:"Your hand, {cards, plural, one {1 card} other {{cards} cards}}","hand.of":"Hand of {name}",new:"new",actions:"What you can do",gameOver:"The game is over",roundOver:"Round {round} is over",sending:"Sending …","turn.out":"Out of turn: you may act now","turn.table":"The cards are dealt …","turn.other":"{name} plays","turn.SETUP":"The cards are dealt …","turn.DEAL":"The cards are dealt …","turn.START":"Your turn: draw or take the pile","turn.PLAY":"Your turn: meld, then discard","turn.TAKING":"Meld the top card, or put it back","turn.ASKED":"You are asked: answer","turn.ROUND_OVER":"The round is over","turn.GAME_OVER":"The game is over",watching:"You are watching",andMore:"… with another group",onto:"{cards} onto {meld}","take.onto":"Take the pile onto {meld}",aside:"Lay {cards} aside",clear:"Clear",hint:"Hint",undo:"Take back",refused:"Not allowed:",also:"Also:",instead:"Instead:",meaning:"What does this mean?",stale:"Somebody was faster. Look again.",nothingToDo:"There is nothing for you to do now.",takenBack:"A move was taken back.","takeBack.offer":"{name} would like to take a move back.","takeBack.agree":"Agree","takeBack.0":"It is too late to take that back.","takeBack.1":"This table plays without take-backs.","takeBack.2":"Somebody has seen a card: that cannot be taken back.","takeBack.3":"Somebody else has acted since: that cannot be taken back.","takeBack.4":"That was in another deal.","bot.plays":"A bot plays for {name} from now on.","bot.gone":"{name} plays again.","bot.back":"A bot plays for you: play again yourself","panel.history":"History","panel.scores":"Scores","panel.log":"The log","panel.values":"How this game goes","panel.moves":"All moves","panel.replay":"Replay","panel.guide":"Guide me","panel.calls":"Requests and answers","calls.note":"What this page has asked and what was answered, the newest first. Every front end has the same API.","calls.request":"Request","calls.answer":"Answer","scores.none":"No round has ended yet.","moves.note":"A choice of what can be done now. Other melds can be legal, too: pick the cards.",log:"The log","log.note":"Every action is in a log that proves the deal, the moves and the scores.","log.download":"Download the log","log.audit":"Have it audited","log.own":"On your own machine:","audit.asking":"The log is audited …","audit.waits":"The auditor has not finished yet. Ask again in a moment.","audit.later":"The log is audited when the game is over.","audit.deal":"Cards","audit.records":"Records","audit.counts":"{records}, {bytes} bytes, {actions} actions, {rounds} rounds","audit.head":"Head",finding:"Record {record}:","verdict.UNSPECIFIED":"There is no verdict.","verdict.CLEAN":"This game is lawful and complete.","verdict.CLEAN_WITH_RULINGS":"This game is lawful and complete, with rulings of officials.","verdict.CONDITIONAL":"Nothing is wrong with what the log tells; what it does not tell, or not yet, is not judged.","verdict.INCOMPLETE":"The log stops before the end of the game. What it tells is lawful.","verdict.ILLEGAL":"An action broke the rules.","verdict.CLERICAL":"A slip of the pen: something was written down that does not follow from the cards.","verdict.ALTERED":"This log was altered: it is not what was played.","verdict.NOT_A_LOG":"This is not a log of a game.","verdict.UNSUPPORTED_VERSION":"This log is of a version that is not read here.","deal.UNSPECIFIED":"none","deal.AS_COMMITTED":"every card as committed to before the first","deal.NOT_CHECKED":"not revealed yet","deal.FAILED":"not as committed","ended.UNSPECIFIED":"over","ended.DRAWN":"seats are drawn","ended.WENT_OUT":"{name} went out","ended.STOCK_EXHAUSTED":"the stock is exhausted","ended.LAST_THREE":"a three could not be replaced","ended.LAST_DRAWER_DONE":"the last turn is done","ended.SPECIAL_HAND":"{name} showed a special hand","ended.RULED":"by a ruling","ended.VOIDED":"the deal is void",concealed:"concealed","sheet.for":"For","sheet.round":"This round","sheet.score":"Score","sheet.up":"Show the sheet","sheet.down":"Show the table","minus.melded_cards":"A side without a canasta loses them.","minus.threes":"A side that has not melded, or has too few canastas, loses them.","minus.hand_cards":"What is left in the hand is lost.","minus.foot_cards":"What is left in the foot is lost.","minus.incomplete_melds":"Aces, sevens or wild cards that did not become a canasta.","minus.held_trios":"Three aces or sevens left in one hand.","minus.no_canasta":"A side without enough canastas loses what it has.","minus.restores":"Cards that were laid and taken back.","draw.seat":"Seat","draw.cards":"Drawn",for:"{count} for {points}",drawn:"Nobody wins",won:"{name} won by {margin}","won.given":"{name} won: the game was given up or settled",nextRound:"Next round",rematch:"Rematch",replay:"Replay","seen.by":"Seen by",judge:"A judge",record:"{record}.","record.slider":"Record",run:"Play","pane.board":"Table","pane.records":"Records","pane.why":"Why?","pane.scores":"Scores","pane.verdict":"Verdict","pane.proof":"Proof",panes:"What is shown",director:"The director",beginning:"Before the cards",walk:"Walk through the game","walk.first":"First record","walk.round.before":"Round before","walk.turn.before":"Turn before","walk.before":"Record before","walk.next":"Next record","walk.turn.next":"Next turn","walk.round.next":"Next round","walk.last":"Last record","step.genesis":"The game begins","step.register":"The cards of round {round} are fixed before anyone sees one","step.note":"{name} notes: {text}","step.checkpoint":"A signature confirms everything up to here","step.tried":"{name} tried: {action}","step.refused":"{name} tried something that is not allowed","step.roundEnd":"The round is over","step.scored":"{name}: {total}, score {score}","incidents.only":"Incidents alone ({count})","incidents.none":"Nothing was refused, ruled, disputed or noted.","incident.refusal":"refused","incident.illegal":"against the rules","incident.ruling":"ruling","incident.dispute":"dispute","incident.note":"note","incident.finding":"finding","why.legal":"This is allowed: it breaks no rule.","why.ruling":"Decided under this law:","why.hidden":"it breaks this rule; why exactly, only those are told who may see the cards.","why.possible":"What else was possible","why.nothing":"Nothing else was possible here.",review:"Review this step","review.lost":"Better, from what this seat knew: {action}, by {points} ± {error} points in the round.","review.fine":"Level 4 of the bot finds nothing better, from what this seat knew.","why.more":"{count} more","why.incomplete":"This is a choice; more was possible.","unknown.UNSPECIFIED":"Nothing was proposed here.","unknown.NOT_DEALT":"No card was dealt yet.","unknown.HIDDEN":"The cards of this round are not revealed yet.","unknown.AFTER_ILLEGAL":"An action before broke the rules; what followed is not judged.","unknown.NO_ACTION":"There is nothing to judge here: nobody played.","unknown.NOT_PLAYED":"This version cannot play this game.","branch.here":"What would bots have played from here?","branch.then":"What would have followed?","branch.note":"Nobody played this: bots play on.","branch.back":"Back to the game",totals:"Scores after each round","totals.round":"Round","totals.chart":"The scores as lines, round by round; the table has the numbers","sheet.explain":"Explain the lines","item.melded_cards":"What the cards in melds are worth.","item.natural_canastas":"Bonus for seven or more cards without a wild card.","item.mixed_canastas":"Bonus for seven or more cards with wild cards.","item.wild_canastas":"Bonus for seven or more wild cards.","item.sequence_canastas":"Bonus for seven cards of a suit in a row.","item.incomplete_melds":"Loss for melds that had to become a canasta and did not.","item.held_trios":"Loss for three of a kind that had to be melded.","item.threes":"Bonus or loss for threes that were laid, by the state of the side's melds.","item.going_out":"Bonus for the side that went out.","item.concealed":"Bonus for going out in one turn without a meld before.","item.cut":"Bonus for lifting exactly the cards of the hands.","item.foot_cut":"Bonus for lifting exactly the cards of the feet.","item.hand_cards":"The cards left in hand are subtracted.","item.foot_cards":"The cards left in the foot are subtracted.","item.restores":"Loss for top cards that were taken and put back.","item.special_hand":"Worth of a special hand that was shown.","item.no_canasta":"Loss for a side without the canastas that the rules ask for.","item.adjustments":"Points that officials gave or took; the incidents say why.","audit.facts":"Facts for experts","audit.game":"Game","audit.rules":"Rules","audit.incidents":"Incidents","audit.refused":"{refusals, plural, one {1 refusal} other {{refusals} refusals}}, {rulings, plural, one {1 ruling} other {{rulings} rulings}}","audit.signed":"{signed} of {actions} actions signed; key {key}","audit.unsigned":"{actions} actions, no key","audit.director":"Key of the director","findings.more":"{count} more findings","outside.not":"Not proven:",print:"Print","verdict.limit":"A log by itself proves that the game is lawful and complete, not that these people played it: only signatures and witnesses can.","proof.checking":"The proof is checked …","proof.whole":"This game is proven, under the key {keys}.","proof.result":"The result of this game is proven, under the key {keys}. Its moves are not: they travel without their signatures.","proof.fails":"The proof does not hold.","proof.open":"What could be checked holds, but not everything could be checked: nothing is proven.","proof.crypto":"This browser gives this page no cryptography, so nothing is proven. Open the page by https or as a file, or use canasta-replay verify-proof.","proof.log":"Your log","proof.deal":"Your deal","proof.signature":"Your signature","proof.entry":"It is entry {index} of {size} in the tree of {origin}: {label}.","proof.bare":"The entry confirms this result. Its moves are those of the full log with the signatures, and may be others than these.","proof.signed":"Signed by {key}.","proof.cosigned":"Seen by the witness {key}, {time}.","proof.noted":"The log is signed by {key} up to record {record}.","proof.unsigned":"Nobody is known to vouch for this log.","proof.signed.players":"{signed} of {actions} actions have the signature of their player.","proof.signed.nobody":"The players have no keys: none of them has signed.","proof.signed.away":"The signatures of the players are in the full log.","proof.keys":"Whose keys these are is for you to know. Compare them with the invitation: paste its key here.","proof.key.known":"This is one of the keys of this proof: {name}.","proof.key.none":"This is none of the keys of this proof.","proof.details":"Keys, hashes and single checks","proof.verifier":"This page's script and engine, SHA-256","proof.checkpoint":"The signed checkpoint","proof.not":"What this page does not check","proof.not.beacon":"That public randomness in the deals is genuine: canasta-replay verify-proof checks it.","proof.not.chosen":"That whoever made the secret did not choose the cards.","proof.not.tree":"That nobody was shown another tree: compare the checkpoint with what others hold.","proof.not.page":"Itself: whoever wrote a page could have written one that always says yes. Check with a program that you have from elsewhere, canasta-replay verify-proof.","outcome.holds":"holds","outcome.fails":"FAILS","outcome.open":"not checked","check.block":"the data is a proof","check.chain":"the log is one unbroken chain","check.tree":"its entry is in the tree","check.entry":"the entry is of this log","check.note":"the note beside the log is of this log","check.signed":"signed by {name}","check.cosigned":"cosigned by {name}","check.somebody":"somebody has signed the tree","finding.UNSPECIFIED":"Something is wrong","finding.TORN":"The log breaks off within a record","finding.CORRUPT":"Bytes were changed","finding.MALFORMED":"This is no record","finding.ORDER":"The record stands where it may not","finding.RULE_SET":"The rules are not those that the log names","finding.COMMITMENT":"What was revealed is not what was fixed before","finding.REGISTER":"Dealer, round or deal are not what the rules say","finding.DEAL":"The cards are not the pack, or cannot be derived","finding.ILLEGAL":"The action breaks the rules","finding.DIGEST":"The position is not the one that was noted","finding.SCORE":"The score lines are not those of the round","finding.TALLY":"A second count gives other points","finding.RESULT":"The end is not the one that was played","finding.REFUSAL":"The refusal was wrong, or says something else","finding.SIGNATURE":"A signature does not fit","finding.INCOMPLETE":"The game has no end","finding.HEAD":"The last record is not the expected one","finding.CHECKPOINT":"The signature is not over the record before","finding.ROUND_TOO_LONG":"The round is longer than a round may be","finding.NOT_JUDGED":"This is not judged","finding.UNPROVEN":"This is not proven","finding.NOT_A_LOG":"The file is no log","finding.UNSUPPORTED_VERSION":"The version is not read here","finding.CLERICAL":"It is written otherwise than the cards give it",pace:"Others play","pace.slow":"slowly","pace.brisk":"briskly","pace.once":"at once",order:"Your hand","order.rank":"by rank","order.suit":"by suit","order.own":"in my own order",yourTurn:"Your turn",thinks:"thinking for {seconds} s",alerts:"When it is my turn","alerts.sound":"Sound","alerts.vibration":"Vibration","alerts.notification":"Notification",rules:"The rule","rules.english":"The text of the rule is in English.","meaning.of":"What {ids} means",onTable:"{points} on the table",need:"to go out: {needs}","need.GO_OUT_NEEDS_CANASTAS":"{missing, plural, one {{missing} canasta} other {{missing} canastas}}","need.GO_OUT_NEEDS_CLEAN":"{missing, plural, one {{missing} canasta} other {{missing} canastas}} without wild cards","need.GO_OUT_NEEDS_WILD":"{missing, plural, one {{missing} wild canasta} other {{missing} wild canastas}}","need.GO_OUT_NEEDS_SEQUENCE":"{missing, plural, one {{missing} sequence} other {{missing} sequences}}","need.GO_OUT_NEEDS_MIXED":"{missing, plural, one {{missing} mixed canasta} other {{missing} mixed canastas}}","need.GO_OUT_NEEDS_RANK":"canasta: {rank}","need.GO_OUT_INCOMPLETE_MELD":"{missing, plural, one {{missing} open meld} other {{missing} open melds}} to complete","card.blackThree":"Black three","card.hidden":"a hidden card","card.name":"{rank} of {suit}","rank.A":"ace","rank.K":"king","rank.Q":"queen","rank.J":"jack","rank.T":"ten","rank.9":"nine","rank.8":"eight","rank.7":"seven","rank.6":"six","rank.5":"five","rank.4":"four","rank.3":"three","rank.2":"two","rank.X":"joker","ranks.A":"the aces","ranks.K":"the kings","ranks.Q":"the queens","ranks.J":"the jacks","ranks.T":"the tens","ranks.9":"the nines","ranks.8":"the eights","ranks.7":"the sevens","ranks.6":"the sixes","ranks.5":"the fives","ranks.4":"the fours","ranks.3":"the threes","ranks.2":"the twos","ranks.X":"the jokers","suit.c":"clubs","suit.d":"diamonds","suit.h":"hearts","suit.s":"spades","meld.wild":"the wild cards","meld.sequence":"the sequence of {suit}","meld.blackThrees":"the black threes","grade.NATURAL":"natural canasta","grade.MIXED":"mixed canasta","grade.WILD":"canasta of wild cards","grade.SEQUENCE":"sequence canasta","grade.short.NATURAL":"natural","grade.short.MIXED":"mixed","grade.short.WILD":"wild","grade.short.SEQUENCE":"samba","guide.close":"End the guide","guide.wait":"The others play. Watch the pile: you may take it when your turn begins.","guide.first":"Welcome! A turn begins at the stock: press it. “How this game goes” has the rules.","guide.start":"Draw from the stock; or pick cards that fit the top of the pile, and take it if it lights up.","guide.closed":"Your first meld needs as many points as the tag beside your names says: pick three or more cards of one rank. If you cannot, pick one card and press the pile.","guide.play":"Pick cards: every place that lights up takes them. To end your turn, pick one card and press the pile.","guide.one":"One card: press the pile to discard it, or a meld that lights up. Press a dark place to learn why not.","guide.many":"Press the place that lights up. Amber means: legal together with more cards, so they are laid aside first.","guide.more":"Laid aside: pick another group until the minimum is reached. “Clear” takes it back.","guide.other":"Press a button below.","trouble.link":"This link is not complete. Open it again, or ask your host to send it once more.","trouble.UNAUTHENTICATED":"This link no longer works: it was revoked or has expired. Ask your host for another one.","trouble.PERMISSION_DENIED":"This link does not allow that.","trouble.NOT_FOUND":"This table no longer exists: nobody had played at it. Start a new one.","trouble.GAME_ARCHIVED":"This game is over and in the archive. Its log can still be downloaded by the operator.","trouble.STORE_FULL":"The recorder has no room left, so nothing can be recorded now. Your cards are safe: try again in a minute, or tell the operator.","trouble.RATE_LIMITED":"Too many tables or requests from here. Try again in {minutes, plural, one {a minute} other {{minutes} minutes}}.","trouble.TOO_MANY_LINKS":"This table has as many links as it may have. Revoke one first.","trouble.ROUND_TOO_LONG":"This round has as many moves as a round may have.","trouble.STATE_TOKEN_INVALID":"The service no longer accepts this game: its keys or its version have changed.","trouble.LOG_CORRUPT":"The log is damaged.","trouble.LOG_TOO_LARGE":"The log is too large.","trouble.elsewhere":"This game was played on in another tab. Load the page again to go on from there.","trouble.resume":"The game of {title} cannot go on.","trouble.other":"That failed: {message}.","rules.classic-4p":"","rules.american-4p":"","rules.hoyle-2p":"","rules.wahhi-4p":"","rules.s3-4p":"","rules.gr-4p":"","rules.hand-and-foot-4p":"","rules.samba-4p":"","rules.bolivia-4p":"","rules.manzana-2p":"","rules.classic-2p":"","rules.classic-3p":"","rules.classic-3p-11":"","rules.classic-6p-3x2":"","rules.classic-6p-2x3":"","rules.miller-6p-2x3":"","rules.wahhi-2p":"","rules.wahhi-3p":"","rules.wahhi-5p":"","rules.wahhi-6p":"","rules.hand-and-foot-6p":"","rules.american-wikipedia-4p":"",share:"Share","share.note":"Whoever opens this link sees the whole game. The game lies in the link itself: nothing is sent to a server.","share.proof":"The link carries the proof too.","share.file":"This page was opened from a file: the link works where the file lies at the same place. For others, save the log.","share.link":"Link","share.long":"The link would have {length} characters, and at most {most} fit. Send the log as a file instead.","share.copy":"Copy link","share.copied":"The link is copied.","share.select":"The link is selected: copy it with Ctrl+C.","share.pass":"Pass on …","share.save":"Save log","share.code":"The link as a QR code","link.head":"the signatures of the game, which are in the full log with the head {head}",ask:"What happened?","ask.what":"What happened, in your own words","ask.example":"he drew two cards","ask.find":"Find the law","ask.one":"This is the law:","ask.few":"It may be one of these:","ask.nothing":"Nothing irregular fits these words. The nearest rules are:","link.spoilt":"This link holds no game: it is damaged or was cut off.","panel.room":"Room","room.name":"Your name","room.name.taken":"Somebody here is called {name} already: take another name.","room.chairs":"Who is here?","room.free":"free chair","room.sit":"Sit here","room.with":"partner: {names}","room.host":"host","room.away":"away","room.awaySince":"away since {time}","room.ready":"ready","room.held":"a bot plays","room.bot":"Let a bot sit","room.noBot":"No bot","room.hold":"Let a bot hold the chair","room.absent":"{name} is away.","room.remove":"Free the chair","room.remove.sure":"Really free it?","room.isReady":"I am ready","room.again":"Again","room.back":"Come back","room.ownBot":"A bot plays for me","room.standUp":"Stand up","room.stoodUp":"Your chair is free now: you watch.","room.playing":"A game is played.","room.waits":"Waiting for {names}.","room.waits.you":"Waiting for you.","room.late":"Somebody was quicker.","room.waits.free":"{chairs, plural, one {One chair is free} other {{chairs} chairs are free}}: send a friend the link, or let a bot sit.","room.turn":"Change partners or seats","room.rules":"Other rules","room.set":"Choose a game","room.house":"House rules: {rules}","room.rules.use":"Play by these rules","room.toGame":"To the game","room.lastGame":"Look at the last game","room.toRoom":"To the room","room.link":"Link for friends","room.link.note":"Whoever has this link may sit down on a free chair, or watch.","room.newCode":"New link: the old one ends","room.device":"On another device","room.device.note":"With this link another device plays on your chair. Keep it to yourself.","room.evening":"This evening","room.player":"Player","room.games":"Games","room.wins":"Wins","room.points":"Points","room.stop":"Offer to stop","room.stop.sure":"Stop this game? Whoever leads after the finished rounds wins; in a tie your side loses.","room.stop.offer":"{name} would like to stop: whoever leads after the finished rounds wins.","room.resign":"Resign","room.resign.sure":"Resign? Your side loses this game. A partner is asked.","room.resign.offer":"{name} would like to resign.","offer.own":"The others are asked. The next move cancels the question.","offer.declined":"That was declined.","offer.decline":"No","offer.withdraw":"Never mind","trouble.code":"This link leads to no room: it is mistyped, was replaced, or the room is gone.",spectators:"Spectators","begin.bots":"Play against bots"};var ef=["Spiel mit Freunden: wähle ein Spiel, schick ihnen einen Link, und los.","Spiel gegen Bots. Jede Karte, jeder Zug und jede Ablehnung kommt vom Regeldienst.","Der Server ist nicht zu erreichen. Du kannst hier inzwischen gegen Bots spielen: Dieses Gerät beurteilt jeden Zug selbst.","Gegen Bots spielen","Sofort spielen","Einrichten …","Mit Freunden …","Alle {games} Spiele","Zahl der Spieler","Alle","{players} Spieler","{packs, plural, one {1 Paket} other {{packs} Pakete}}","bis {points} Punkte","{rounds, plural, one {1 Runde} other {{rounds} Runden}}","Ein Spiel fortsetzen","Ein Spiel noch einmal ansehen","Das Protokoll eines beendeten Spiels zeigt jede Karte. Die Datei bleibt auf deinem Gerät, und der Dienst vergisst sie sofort.","Protokoll öffnen (.clog)","Diese Datei lässt sich nicht zeigen.","Wer spielt?","Ich","Bot","Spieler {number}","Name von Spieler {number}","Varianten","Alle Regeln","Jede Regel dieses Spiels lässt sich ändern. Was nicht zusammenpasst, steht unten, und Partien nach deinen Regeln haben sie in ihrem Protokoll.","Regeln durchsuchen","Nur was abweicht","Üblich ist hier: {value}.","Zurücksetzen","Keine Regel hat diese Wörter.","Diese Regeln lassen sich spielen. Ihr Fingerabdruck beginnt mit {digest}.","Regeln speichern","Datei mit Regeln öffnen","Das ist keine Datei mit Regeln, die von {base} ausgehen.","Nach Punkten: 0: 15, 1500: 50, 120 heißt 15 unter 0, 50 unter 1.500 und 120 darüber; nach Runden: 50, 90, 120.","Zahlen mit Kommas dazwischen.","Ja","Nein","Länge","Stärke der Bots (1 schwach, 6 stark)","Das ganze Spiel","Uhr","Ohne Uhr","{seconds} Sekunden je Zug","je {minutes} Minuten, {seconds} Sekunden mehr je Zug","noch {time}","Zurücknehmen","Nie","Eigene Züge, die keine Karte gezeigt haben","Auch andere, wenn die Gegner zustimmen","Losungswort","Dasselbe Wort gibt dieselben Karten. Ohne Wort kennt niemand die Karten.","Mit Freunden spielen","Hinsetzen und geben","Zurück","Sprache","Einen Moment …","Der Tisch ist nicht zu erreichen. Nichts geht verloren; die Seite versucht es weiter.","Jetzt versuchen","Neu laden","Neues Spiel","Menü","Schließen","Dieser Browser behält das Spiel nicht: Neuladen verlöre es. Lade das Protokoll herunter, bevor du gehst.","Spielleitung","Platz {number}","Partei {number}","Plätze links","Plätze gegenüber","Plätze rechts","Partner","Gegner","{points} Punkte","Fuß: {cards}","{name} hält {cards}","kann zurück","Geber","G","{cards, plural, one {1 Karte} other {{cards} Karten}}","Dreien: {cards}","Meldungen von {side}","Erstmeldung {points}","passt hierhin","passt mit weiteren Karten","passt hier nicht; drücken erklärt warum","beiseitegelegt: {cards}","Neuer Satz","Neue wilde Meldung","Neue Sequenz","Schwarze Dreien","{found} von {required}","Talon und Ablagestapel","Talon, {cards, plural, one {1 Karte} other {{cards} Karten}}","Talon","Ablagestapel, oben {card}, {cards, plural, one {1 Karte} other {{cards} Karten}}","Ablagestapel, leer","Ablage","vorläufig genommen","Zusatzkarten: {cards}","Zusatzkarten von {name}: {cards}","Runde {round}","Die Plätze werden ausgelost","gesperrt: {why}","eine wilde Karte liegt darin","eine rote Drei liegt darin","deine Partei hat noch nicht gemeldet","immer","bis er zum ersten Mal genommen wird","Ziehen","Dein Blatt, {cards, plural, one {1 Karte} other {{cards} Karten}}","Blatt von {name}","neu","Was du tun kannst","Das Spiel ist aus","Runde {round} ist zu Ende","Wird gesendet …","Außer der Reihe: du darfst jetzt handeln","Es wird gegeben …","{name} ist am Zug","Es wird gegeben …","Es wird gegeben …","Du bist dran: zieh oder nimm die Ablage","Du bist dran: melde, dann wirf ab","Melde die oberste Karte oder leg sie zurück","Du bist gefragt: antworte","Die Runde ist zu Ende","Das Spiel ist aus","Du siehst zu","… mit einer weiteren Gruppe","{cards} an {meld}","Ablagestapel nehmen, an {meld}","{cards} beiseitelegen","Auswahl aufheben","Tipp","Zurücknehmen","Nicht erlaubt:","Außerdem:","Stattdessen:","Was heißt das?","Jemand war schneller. Schau noch einmal hin.","Im Moment gibt es für dich nichts zu tun.","Ein Zug wurde zurückgenommen.","{name} möchte einen Zug zurücknehmen.","Einverstanden","Dafür ist es zu spät.","An diesem Tisch wird nichts zurückgenommen.","Jemand hat eine Karte gesehen: das lässt sich nicht zurücknehmen.","Inzwischen hat jemand anders gehandelt: das lässt sich nicht zurücknehmen.","Das war in einem anderen Spiel.","Ab jetzt spielt ein Bot für {name}.","{name} spielt wieder selbst.","Ein Bot spielt für dich: wieder selbst spielen","Verlauf","Spielzettel","Das Protokoll","So geht dieses Spiel","Alle Züge","Wiederholung","Führe mich","Anfragen und Antworten","Was diese Seite gefragt hat und was geantwortet wurde, das Neueste zuerst. Jede Oberfläche hat dieselbe Schnittstelle.","Anfrage","Antwort","Noch ist keine Runde zu Ende.","Eine Auswahl dessen, was jetzt geht. Auch andere Meldungen können erlaubt sein: wähle die Karten.","Das Protokoll","Jeder Zug steht in einem Protokoll, das Karten, Züge und Punkte beweist.","Protokoll herunterladen","Prüfen lassen","Auf dem eigenen Rechner:","Das Protokoll wird geprüft …","Die Prüfung läuft noch. Frag gleich noch einmal.","Geprüft wird, wenn das Spiel aus ist.","Karten","Einträge","{records}, {bytes} Bytes, {actions} Züge, {rounds} Runden","Prüfsumme","Eintrag {record}:","Es gibt kein Urteil.","Dieses Spiel ist regelgerecht und vollständig.","Dieses Spiel ist regelgerecht und vollständig, mit Entscheidungen von Offiziellen.","Was das Protokoll sagt, ist regelgerecht; was es nicht oder noch nicht sagt, ist nicht beurteilt.","Das Protokoll endet vor dem Spiel. Was es sagt, ist regelgerecht.","Ein Zug hat die Regeln verletzt.","Ein Schreibfehler: etwas Notiertes folgt nicht aus den Karten.","Dieses Protokoll ist verändert: so wurde nicht gespielt.","Das ist kein Protokoll eines Spiels.","Dieses Protokoll hat eine Version, die hier nicht gelesen wird.","keine","jede Karte wie vor der ersten festgelegt","noch nicht aufgedeckt","nicht wie festgelegt","zu Ende","die Plätze sind ausgelost","{name} hat ausgemacht","der Talon ist aufgebraucht","eine Drei war nicht zu ersetzen","der letzte Zug ist gespielt","{name} hat ein besonderes Blatt gezeigt","durch eine Entscheidung","die Karten gelten nicht","verdeckt","Für","Diese Runde","Stand","Abrechnung zeigen","Tisch zeigen","Eine Partei ohne Canasta verliert sie.","Eine Partei, die nicht gemeldet oder zu wenige Canastas hat, verliert sie.","Was auf der Hand bleibt, ist verloren.","Was im Fuß bleibt, ist verloren.","Asse, Siebenen oder wilde Karten, aus denen keine Canasta wurde.","Drei Asse oder Siebenen, die auf einer Hand blieben.","Eine Partei ohne genug Canastas verliert, was sie hat.","Karten, die gelegt und zurückgenommen wurden.","Platz","Gezogen","{count} für {points}","Niemand gewinnt","Sieg: {name}, {margin} Punkte Vorsprung","Sieg: {name}, die Partie wurde aufgegeben oder beendet","Nächste Runde","Revanche","Wiederholung","Gesehen von","Schiedsrichter","{record}.","Eintrag","Abspielen","Tisch","Einträge","Warum?","Punkte","Urteil","Beweis","Was gezeigt wird","Die Turnierleitung","Vor dem Geben","Durch das Spiel gehen","Erster Eintrag","Runde davor","Zug davor","Eintrag davor","Nächster Eintrag","Nächster Zug","Nächste Runde","Letzter Eintrag","Das Spiel beginnt","Die Karten der Runde {round} sind festgelegt, bevor jemand eine sieht","{name} merkt an: {text}","Eine Unterschrift bestätigt alles bis hierher","{name} versuchte: {action}","{name} versuchte etwas, das nicht erlaubt ist","Die Runde ist zu Ende","{name}: {total}, Stand {score}","Nur Vorfälle ({count})","Nichts wurde abgelehnt, entschieden, bestritten oder angemerkt.","abgelehnt","regelwidrig","Entscheidung","Streitfall","Anmerkung","Befund","Das ist erlaubt: es verletzt keine Regel.","Entschieden nach diesem Gesetz:","es verletzt diese Regel; warum genau, erfährt nur, wer die Karten sehen darf.","Was sonst möglich war","Etwas anderes war hier nicht möglich.","Diesen Schritt bewerten","Besser, nach dem Wissen dieses Platzes: {action}, um {points} ± {error} Punkte in der Runde.","Stufe 4 des Bots findet nichts Besseres, nach dem Wissen dieses Platzes.","{count} weitere","Das ist eine Auswahl; noch mehr war möglich.","Hier wurde nichts vorgeschlagen.","Noch war keine Karte gegeben.","Die Karten dieser Runde sind noch nicht aufgedeckt.","Ein Zug davor hat die Regeln verletzt; was folgte, wird nicht beurteilt.","Hier gibt es nichts zu beurteilen: niemand hat gespielt.","Diese Version kann dieses Spiel nicht spielen.","Wie hätten Bots von hier aus gespielt?","Was wäre gefolgt?","Das hat niemand gespielt: Bots spielen weiter.","Zurück zum Spiel","Stand nach jeder Runde","Runde","Der Stand als Linien, Runde für Runde; die Tabelle nennt die Zahlen","Zeilen erklären","Was die Karten in den Meldungen wert sind.","Prämie für sieben oder mehr Karten ohne wilde Karte.","Prämie für sieben oder mehr Karten mit wilden Karten.","Prämie für sieben oder mehr wilde Karten.","Prämie für sieben Karten einer Farbe in Folge.","Abzug für Meldungen, die eine Canasta werden mussten und es nicht wurden.","Abzug für Drillinge, die gemeldet werden mussten.","Prämie oder Abzug für ausgelegte Dreien, je nach den Meldungen der Partei.","Prämie für die Partei, die ausgemacht hat.","Prämie für Ausmachen in einem Zug ohne frühere Meldung.","Prämie für genaues Abheben der Karten aller Hände.","Prämie für genaues Abheben der Karten aller Füße.","Die Karten auf der Hand werden abgezogen.","Die Karten im Fuß werden abgezogen.","Abzug für oberste Karten, die genommen und zurückgelegt wurden.","Wert eines gezeigten besonderen Blatts.","Abzug für eine Partei ohne die Canastas, die die Regeln verlangen.","Punkte, die Offizielle gaben oder nahmen; die Vorfälle sagen, warum.","Fakten für Fachleute","Spiel","Regeln","Vorfälle","{refusals, plural, one {1 Ablehnung} other {{refusals} Ablehnungen}}, {rulings, plural, one {1 Entscheidung} other {{rulings} Entscheidungen}}","{signed} von {actions} Zügen unterschrieben; Schlüssel {key}","{actions} Züge, kein Schlüssel","Schlüssel der Turnierleitung","{count} weitere Befunde","Nicht bewiesen:","Drucken","Ein Protokoll allein beweist, dass das Spiel regelgerecht und vollständig ist, nicht, dass diese Personen es gespielt haben: das können nur Unterschriften und Zeugen.","Der Beweis wird geprüft …","Dieses Spiel ist bewiesen, unter dem Schlüssel {keys}.","Das Ergebnis dieses Spiels ist bewiesen, unter dem Schlüssel {keys}. Seine Züge sind es nicht: Sie reisen ohne ihre Unterschriften.","Der Beweis gilt nicht.","Was geprüft werden konnte, stimmt, aber nicht alles konnte geprüft werden: Nichts ist bewiesen.","Dieser Browser gibt dieser Seite keine Kryptographie, also ist nichts bewiesen. Öffne die Seite über https oder als Datei, oder nimm canasta-replay verify-proof.","Dein Protokoll","Deine Karten","Deine Unterschrift","Es ist Eintrag {index} von {size} im Baum von {origin}: {label}.","Der Eintrag bestätigt dieses Ergebnis. Seine Züge sind die des vollen Protokolls mit den Unterschriften, und können andere sein als diese.","Unterschrieben von {key}.","Gesehen vom Zeugen {key}, {time}.","Das Protokoll ist bis Eintrag {record} unterschrieben von {key}.","Niemand steht erkennbar für dieses Protokoll ein.","{signed} von {actions} Aktionen haben die Unterschrift ihres Spielers.","Die Spieler haben keine Schlüssel: Keiner von ihnen hat unterschrieben.","Die Unterschriften der Spieler stehen im vollen Protokoll.","Wessen Schlüssel das sind, musst du selbst wissen. Vergleiche sie mit der Einladung: Füge ihren Schlüssel hier ein.","Das ist einer der Schlüssel dieses Beweises: {name}.","Das ist keiner der Schlüssel dieses Beweises.","Schlüssel, Prüfsummen und einzelne Prüfungen","Skript und Regelwerk dieser Seite, SHA-256","Der unterschriebene Stand des Baums","Was diese Seite nicht prüft","Dass öffentlicher Zufall in den Karten echt ist: Das prüft canasta-replay verify-proof.","Dass die Karten nicht ausgesucht hat, wer das Geheimnis gemacht hat.","Dass niemandem ein anderer Baum gezeigt wurde: Vergleiche den Stand mit dem, was andere haben.","Sich selbst: Wer eine Seite schreibt, kann eine schreiben, die immer Ja sagt. Prüfe mit einem Programm, das du von anderswo hast, canasta-replay verify-proof.","stimmt","STIMMT NICHT","nicht geprüft","die Daten sind ein Beweis","das Protokoll ist eine lückenlose Kette","sein Eintrag steht im Baum","der Eintrag gehört zu diesem Protokoll","die Notiz neben dem Protokoll gehört zu ihm","unterschrieben von {name}","mitunterschrieben von {name}","jemand hat den Baum unterschrieben","Etwas stimmt nicht","Das Protokoll bricht in einem Eintrag ab","Bytes sind verändert","Das ist kein Eintrag","Der Eintrag steht an falscher Stelle","Die Regeln sind nicht die genannten","Aufgedeckt ist etwas anderes, als vorher festgelegt war","Geber, Runde oder Kartengabe sind nicht, was die Regeln sagen","Die Karten sind nicht das Spiel oder nicht herleitbar","Der Zug verletzt die Regeln","Die Stellung ist nicht die notierte","Die Punktzeilen sind nicht die der Runde","Eine zweite Zählung ergibt andere Punkte","Das Ende ist nicht das gespielte","Die Ablehnung war falsch oder sagt etwas anderes","Eine Unterschrift passt nicht","Das Spiel hat kein Ende","Der letzte Eintrag ist nicht der erwartete","Die Unterschrift gilt nicht dem Eintrag davor","Die Runde ist länger, als eine sein darf","Das wird nicht beurteilt","Das ist nicht bewiesen","Die Datei ist kein Protokoll","Die Version wird hier nicht gelesen","Es steht anders da, als die Karten es ergeben","Die anderen spielen","langsam","zügig","sofort","Dein Blatt","nach Rang","nach Farbe","in eigener Ordnung","Du bist dran","überlegt seit {seconds} s","Wenn ich am Zug bin","Ton","Vibration","Benachrichtigung","Die Regel","Der Regeltext ist englisch.","Was {ids} bedeutet","{points} auf dem Tisch","zum Ausmachen fehlen: {needs}","{missing, plural, one {{missing} Canasta} other {{missing} Canastas}}","{missing, plural, one {{missing} Canasta} other {{missing} Canastas}} ohne wilde Karten","{missing, plural, one {{missing} wilde Canasta} other {{missing} wilde Canastas}}","{missing, plural, one {{missing} Sequenz} other {{missing} Sequenzen}}","{missing, plural, one {{missing} gemischte Canasta} other {{missing} gemischte Canastas}}","Canasta: {rank}","{missing, plural, one {{missing} offene Meldung} other {{missing} offene Meldungen}} zu vollenden","Schwarze Drei","eine verdeckte Karte","{suit}-{rank}","Ass","König","Dame","Bube","Zehn","Neun","Acht","Sieben","Sechs","Fünf","Vier","Drei","Zwei","Joker","die Asse","die Könige","die Damen","die Buben","die Zehnen","die Neunen","die Achten","die Siebenen","die Sechsen","die Fünfen","die Vieren","die Dreien","die Zweien","die Joker","Kreuz","Karo","Herz","Pik","die wilden Karten","die Sequenz in {suit}","die schwarzen Dreien","reine Canasta","gemischte Canasta","Canasta aus wilden Karten","Sequenz-Canasta","rein","gemischt","wild","Sequenz","Führung beenden","Die anderen sind dran. Behalte den Ablagestapel im Auge: zu Beginn deines Zuges darfst du ihn nehmen.","Willkommen! Ein Zug beginnt am Talon: drück darauf. „So geht dieses Spiel“ hat die Regeln.","Zieh vom Talon; oder wähle Karten, die zur obersten des Ablagestapels passen, und nimm ihn, wenn er leuchtet.","Deine Erstmeldung braucht so viele Punkte, wie neben euren Namen steht: wähle drei oder mehr Karten eines Werts. Geht das nicht, wähle eine Karte und drück auf den Ablagestapel.","Wähle Karten: jeder Platz, der leuchtet, nimmt sie. Zum Ende deines Zuges wähle eine Karte und drück auf den Ablagestapel.","Eine Karte: drück auf den Ablagestapel, um sie abzuwerfen, oder auf eine leuchtende Meldung. Ein dunkler Platz sagt dir, warum er nicht geht.","Drück auf den leuchtenden Platz. Gelb heißt: erlaubt zusammen mit weiteren Karten, deshalb kommen sie erst beiseite.","Beiseitegelegt: wähle eine weitere Gruppe, bis das Minimum erreicht ist. „Auswahl aufheben“ nimmt sie zurück.","Drück unten auf einen Knopf.","Dieser Link ist unvollständig. Öffne ihn noch einmal, oder lass ihn dir vom Gastgeber neu schicken.","Dieser Link gilt nicht mehr: er ist gesperrt oder abgelaufen. Bitte den Gastgeber um einen neuen.","Das erlaubt dieser Link nicht.","Diesen Tisch gibt es nicht mehr: niemand hatte daran gespielt. Eröffne einen neuen.","Dieses Spiel ist aus und liegt im Archiv. Der Betreiber hat das Protokoll noch.","Der Speicher ist voll, deshalb lässt sich gerade nichts aufzeichnen. Deine Karten sind sicher: versuch es in einer Minute wieder, oder sag dem Betreiber Bescheid.","Zu viele Tische oder Anfragen von hier. Versuch es in {minutes, plural, one {einer Minute} other {{minutes} Minuten}} wieder.","Dieser Tisch hat so viele Links, wie er haben darf. Sperre erst einen.","Diese Runde hat so viele Züge, wie eine Runde haben darf.","Der Dienst nimmt dieses Spiel nicht mehr an: Schlüssel oder Version haben sich geändert.","Das Protokoll ist beschädigt.","Das Protokoll ist zu groß.","Dieses Spiel ist in einem anderen Fenster weitergegangen. Lade die Seite neu, um dort weiterzumachen.","Das Spiel {title} geht nicht weiter.","Das ist fehlgeschlagen: {message}.","Das Spiel von 1950 für vier in zwei Paaren: eine Canasta zum Ausmachen, bis 5.000 Punkte.","Kein erster Stapel, Zusatzkarten, besondere Blätter und Strafen für unfertige Siebenen und Asse; zwei Canastas zum Ausmachen, bis 8.500 Punkte.","Die Regeln des Programms canasta.net für zwei: 15 Karten, und Ausgelegtes wird beim Abwerfen geprüft.","Klassisches Canasta nach den WAHHI-Regeln: eine Prämie für genaues Geben, und nie mehr wilde als natürliche Karten in einer Meldung.","Eine kurze Beschreibung des klassischen Canasta: der Stapel wird nur mit Karten aus der Hand genommen, und muss genommen werden, wenn der Talon leer ist.","Eine schlichte Beschreibung für vier mit abgerechnetem Beispiel: rote Dreien zählen immer, und verdecktes Ausmachen bringt nichts.","Sechs Pakete und für jeden ein zweites Blatt; vier Runden, und sieben reine Canastas und eine wilde zum Ausmachen.","Drei Pakete, neben Sätzen auch Sequenzen einer Farbe, zwei Karten werden gezogen; zwei Canastas zum Ausmachen, bis 10.000 Punkte.","Samba mit wilden Meldungen: zum Ausmachen braucht es eine Sequenz, bis 15.000 Punkte.","Ein kleines Spiel für zwei mit einem Paket; der Text war nicht ganz zu lesen, einiges ist deshalb geraten.","Zwei Spieler mit je 15 Karten, die zwei Karten ziehen und zwei Canastas zum Ausmachen brauchen.","Drei Spieler: wer zuerst den Stapel nimmt, spielt allein gegen die anderen; je 13 Karten, bis 7.500 Punkte.","Drei Spieler: wer zuerst den Stapel nimmt, spielt allein gegen die anderen; je 11 Karten, bis 7.500 Punkte.","Drei Paare, drei Pakete und je 13 Karten; zwei Canastas zum Ausmachen, bis 7.500 Punkte.","Zwei Mannschaften zu dritt, drei Pakete und je 13 Karten; zwei Canastas zum Ausmachen, bis 10.000 Punkte.","Zwei Mannschaften zu dritt mit wilden Meldungen; drei Canastas zum Ausmachen, zwei davon ohne wilde Karten.","Die WAHHI-Regeln für zwei Spieler, jeder für sich.","Die WAHHI-Regeln für drei Spieler, jeder für sich.","Die WAHHI-Regeln für fünf Spieler, jeder für sich.","Die WAHHI-Regeln für zwei Mannschaften zu dritt.","Hand and Foot für zwei Mannschaften zu dritt.","Dasselbe Spiel wie american-4p nach einem anderen Text, mit denselben Regeln.","Teilen","Wer diesen Link öffnet, sieht das ganze Spiel. Das Spiel steckt im Link selbst: An keinen Server wird etwas gesendet.","Der Link trägt auch den Beweis.","Diese Seite wurde aus einer Datei geöffnet: Der Link gilt, wo die Datei an derselben Stelle liegt. Für andere speichere das Protokoll.","Link","Der Link hätte {length} Zeichen, höchstens {most} passen. Gib stattdessen das Protokoll als Datei weiter.","Link kopieren","Der Link ist kopiert.","Der Link ist markiert: kopiere ihn mit Strg+C.","Weitergeben …","Protokoll speichern","Der Link als QR-Code","die Unterschriften des Spiels, die im vollen Protokoll mit dem Kopf {head} stehen","Was ist passiert?","Was passiert ist, in eigenen Worten","er hat zwei Karten gezogen","Regel finden","Das ist die Regel:","Es kann eines davon sein:","Kein Regelverstoß passt zu diesen Worten. Die nächsten Regeln sind:","In diesem Link steckt kein Spiel: Er ist beschädigt oder abgeschnitten.","Raum","Dein Name","{name} heißt hier schon jemand: nimm einen anderen Namen.","Wer ist da?","freier Stuhl","Hier sitzen","Partner: {names}","Gastgeber","nicht da","nicht da seit {time}","bereit","ein Bot spielt","Bot hinsetzen","Kein Bot","Bot übernehmen lassen","{name} ist nicht da.","Stuhl räumen","Wirklich räumen?","Ich bin bereit","Noch einmal","Weiterspielen","Ein Bot spielt für mich","Aufstehen","Dein Stuhl ist jetzt frei: du siehst zu.","Es wird gespielt.","Es fehlt noch: {names}.","Du fehlst noch.","Jemand war schneller.","{chairs, plural, one {Ein Stuhl ist frei} other {{chairs} Stühle sind frei}}: schick den Link weiter, oder setz einen Bot hin.","Partner oder Plätze tauschen","Andere Regeln","Wähle ein Spiel","Hausregeln: {rules}","Nach diesen Regeln spielen","Zum Spiel","Das letzte Spiel ansehen","Zum Raum","Link für Freunde","Wer diesen Link hat, darf sich auf einen freien Stuhl setzen oder zusehen.","Neuer Link: der alte endet","Auf einem anderen Gerät","Mit diesem Link spielt ein anderes Gerät auf deinem Stuhl. Behalte ihn für dich.","Dieser Abend","Spieler","Spiele","Siege","Punkte","Abbruch anbieten","Dieses Spiel abbrechen? Es gewinnt, wer nach den beendeten Runden führt; bei Gleichstand verliert deine Partei.","{name} möchte das Spiel abbrechen: es gewinnt, wer nach den beendeten Runden führt.","Aufgeben","Aufgeben? Deine Seite verliert dieses Spiel. Ein Partner wird gefragt.","{name} möchte aufgeben.","Die anderen werden gefragt. Der nächste Zug hebt die Frage auf.","Das wurde abgelehnt.","Nein","Doch nicht","Dieser Link führt in keinen Raum: er ist verschrieben, wurde ersetzt, oder es gibt den Raum nicht mehr.","Zuschauer","Gegen Bots spielen"],oi=Object.fromEntries(Object.keys(Nn).map((e,t)=>[e,ef[t]]));var yo={en:Nn,de:oi},M0={en:"English",de:"Deutsch"},nf=document.documentElement.lang==="en"?void 0:document.documentElement.lang,K=[ie("language"),nf,...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==void 0&&e in yo)??"en";function O0(e){ce("language",e),location.reload()}function l(e,t={}){let n=Object.fromEntries(Object.entries(t).map(([s,o])=>[s,String(o)]));return yn(yo[K]?.[e]??Nn[e]??"",n)}var C0=(e,t)=>yo[K]?.[`rules.${e}`]||t,D=e=>e.toLocaleString(K),re=e=>e.charAt(0).toUpperCase()+e.slice(1),Ce=e=>/^Player [1-6]$/.test(e)?l("player",{number:e.slice(-1)}):e;function U(e,t){return Ce(e.seats[t]?.name??"")||l("seat",{number:t+1})}function ot(e,t){return e.seats.filter(s=>s.side===t).map(s=>U(e,s.seat)).join(" & ")||l("side",{number:t+1})}var In=e=>l(`rank.${e}`),ai=e=>l(`suit.${e}`);function at(e){return e==="??"||e==="back"?l("card.hidden"):e==="X"?In("X"):l("card.name",{rank:In(e.charAt(0)),suit:ai(e.charAt(1))})}function rt(e){let t=e.cards.find(n=>!kt(n))??"";switch(e.kind){case 2:return l("meld.wild");case 3:return l("meld.sequence",{suit:ai(jt(t))});case 4:return l("meld.blackThrees");default:return l(`ranks.${e.rank}`)}}var ri=e=>e===0?"":l(`grade.${pn[e]}`);var[sf,ui]=[60,72],Dn=[],vo=(e,t)=>()=>ht(e,t);function ii(e){return Dn.unshift(e),Dn.length=Math.min(Dn.length,sf),e}var di=e=>async t=>{let{method:n,service:s}=t,o=`${s.name}.${n.name}`,a=t.stream?()=>({}):vo(n.input,t.message),r=ii({name:o,request:a}),i=performance.now();try{let c=await e(t);if(r.ms=Math.round(performance.now()-i),!c.stream)r.answer=vo(n.output,c.message);else{let{message:d}=c;return{...c,message:async function*(){for await(let m of d)ii({name:o,request:a,answer:vo(n.output,m)}),yield m}()}}return c}catch(c){throw r.failure=L.of(c).message,c}},ci=e=>JSON.stringify(e,(t,n)=>typeof n=="string"&&n.length>ui?`${n.slice(0,ui)}… (${D(n.length)})`:n,2);function li(){return u(T,{children:[u("p",{class:"note",children:l("calls.note")}),u("ol",{class:"calls",children:Dn.map((e,t)=>u("li",{children:u("details",{open:t===0,children:[u("summary",{children:[u("code",{children:e.name}),e.ms!==void 0&&u("span",{class:"n",children:[e.ms," ms"]})]}),u("h3",{children:l("calls.request")}),u("pre",{tabIndex:0,children:ci(e.request())}),u("h3",{children:l("calls.answer")}),u("pre",{tabIndex:0,children:e.failure??(e.answer?ci(e.answer()):"…")})]})},Dn.length-t))})]})}function we({id:e,title:t,close:n,children:s,kind:o="",isModal:a=!0}){let r=ee(null);return C(()=>{a?r.current?.showModal():r.current?.show(),r.current?.querySelector("h2")?.focus();let i=({key:c})=>{!a&&c==="Escape"&&!document.querySelector("dialog:modal")&&r.current?.close()};return window.addEventListener("keydown",i),()=>window.removeEventListener("keydown",i)},[]),u("dialog",{id:e,ref:r,class:o,"aria-labelledby":`${e}-title`,onClose:n,onClick:i=>i.target===r.current&&r.current?.close(),children:u("div",{class:"inside",children:[u("div",{class:"heading",children:[u("h2",{id:`${e}-title`,tabIndex:-1,children:t}),u("button",{type:"button",class:"close","aria-label":l("close"),onClick:()=>r.current?.close(),children:"×"})]}),s]})})}function Eo({client:e,id:t,canonical:n,ask:s}){let[o,a]=_([]),[r,i]=_("");return C(()=>{(async()=>(await e.explainRuleSet({id:t,canonical:await n()??"",languageCode:K})).sections)().then(a,d=>i(L.of(d).message))},[]),o.length===0?u("p",{role:"status",children:r||l("loading")}):u("div",{class:"explained",children:[u("p",{children:u("button",{type:"button",id:"print-rules",onClick:()=>window.print(),children:l("print")})}),o.map(c=>u("section",{"aria-label":c.title,children:[u("h3",{children:c.title}),u("ul",{children:c.sentences.map(({text:d,ruleIds:p})=>u("li",{children:[d," ",u(So,{ids:p,title:d,ask:s})]},d))})]},c.name))]})}function So({ids:e,title:t,ask:n}){let s=e.join(" ");return n?u("button",{type:"button",class:"link","data-rules":s,"aria-label":l("meaning.of",{ids:s}),onClick:()=>n(e,t.replace(/\.$/,"")),children:s}):u("small",{lang:"en",children:s})}function pi(e){let[t,n]=_(!1);return u(T,{children:[u("button",{type:"button",id:"how-it-goes",onClick:()=>n(!0),children:l("panel.values")}),t&&u(we,{id:"explained",title:l("panel.values"),kind:"panel",close:()=>n(!1),children:u(Eo,{...e})})]})}function fi({view:e,side:t,seat:n}){let s=n??e.seats.find(i=>i.side===t.side)?.seat,o=e.onTable.find(({owner:i})=>i.value===(i.case==="seat"?s:t.side));if(!o||!t.opened&&o.lines.length===0)return null;let a=o.lines.map(i=>`${l(`item.${i.item}`)} ${D(i.points)}`).join(" "),r=t.opened?t.needs.map(({code:i,missing:c,rank:d})=>l(`need.${i}`,{missing:c,rank:d&&l(`ranks.${d}`)})).join(", "):"";return u(T,{children:[u("span",{class:"tag worth",title:a,children:l("onTable",{points:D(o.total)})}),r&&u("span",{class:"needs",children:l("need",{needs:r})})]})}var of=["A","K","Q","J","T","9","8","7","6","5","4","2","X","3b"],af=["A","K","Q","J","T","9","8","7","6","5","4","3","2","X","W"];function mi({client:e,base:t,variations:n,chosen:s,change:o}){let[a,r]=_([]),[i,c]=_(""),[d,p]=_(!1),[m,h]=_(""),[f,g]=_({digest:"",faults:[]}),b=()=>{e.listKnobs({languageCode:K}).then(({knobs:S})=>r(S),S=>h(L.of(S).message))},y=Object.assign({},...n.filter(S=>s.variations.includes(S.id)).map(S=>S.knobs)),v=S=>S.uses.find(M=>M.ruleSets.includes(t))?.value??S.defaultValue,k=S=>s.knobs[S.name]??y[S.name]??v(S),A=(S,M)=>{let{[S.name]:q,...Y}=s.knobs;o({...s,knobs:M===v(S)?Y:{...Y,[S.name]:M}})};C(()=>{if(a.length===0)return;let S=setTimeout(()=>{e.getRuleSet({id:t,houseRules:qe(s.variations,s.knobs)}).then(({ruleSet:M,rejected:q})=>g({digest:P(M?.summary?.digest??new Uint8Array),faults:(q?.violations??[]).map(Y=>rf(a,`${Y.facts.detail?.value.value??""}`,Y.message))}),M=>g({digest:"",faults:[L.of(M).message]}))},300);return()=>clearTimeout(S)},[a,JSON.stringify(s)]);let N=async S=>{let M=pf(await S.text());h(M&&M.base===t?"":l("house.unread",{base:t})),M?.base===t&&o(M)},w=Object.keys({...y,...s.knobs}),j=S=>`${S.name} ${S.meaning} ${S.words.map(M=>M.meaning).join(" ")}`.toLowerCase().includes(i.trim().toLowerCase()),X=a.filter(S=>j(S)&&(!d||w.includes(S.name))),z=[...new Set(X.map(S=>S.group))];return u("details",{class:"house",onToggle:S=>S.currentTarget.open&&a.length===0&&b(),children:[u("summary",{children:[l("house"),w.length>0&&` (${D(w.length)})`]}),u("p",{class:"note",children:l("house.note")}),u("div",{class:"tools",children:[u("input",{type:"search",id:"house-search","aria-label":l("house.search"),placeholder:l("house.search"),value:i,onInput:S=>c(S.currentTarget.value)}),u("label",{class:"check",children:[u("input",{type:"checkbox",id:"house-differs",checked:d,onChange:()=>p(!d)}),u("span",{children:l("house.differs")})]})]}),u("div",{class:"knobs",children:[z.map(S=>u("section",{"aria-label":S,children:[u("h3",{children:S}),X.filter(M=>M.group===S).map(M=>u("div",{class:w.includes(M.name)?"knob differs":"knob","data-knob":M.name,children:[u("p",{id:`knob-${M.name}`,children:[M.meaning," ",u("small",{lang:"en",children:[M.name," · ",M.ruleIds.join(" ")]})]}),u(cf,{knob:M,value:k(M),isFixed:M.name in y,set:q=>A(M,q)}),w.includes(M.name)&&u("p",{class:"note",children:[l("house.was",{value:uf(M,v(M))}),!(M.name in y)&&u(T,{children:[" ",u("button",{type:"button",onClick:()=>A(M,v(M)),children:l("house.reset")})]})]})]},M.name))]},S)),a.length>0&&X.length===0&&u("p",{class:"note",children:l("house.none")})]}),u("div",{role:"status",id:"house-verdict",children:[f.faults.map(S=>u("p",{class:"fault",children:S},S)),f.digest&&u("p",{class:"note",children:l("house.digest",{digest:f.digest.slice(0,16)})}),m&&u("p",{class:"fault",children:m})]}),u("p",{class:"buttons",children:[u("a",{class:"button",id:"house-save",download:`${t}-house.toml`,href:`data:application/toml;charset=utf-8,${encodeURIComponent(lf(t,s))}`,children:l("house.save")}),u("label",{class:"file",children:[l("house.open"),u("input",{type:"file",id:"house-open",accept:".toml",onChange:S=>S.currentTarget.files?.[0]&&void N(S.currentTarget.files[0])})]})]})]})}function rf(e,t,n){let s=e.flatMap(o=>o.conflicts).filter(o=>o.detail===t&&o.knobs.every(a=>n.includes(a)));return s[0]?`${s[0].why} (${s[0].knobs.join(", ")})`:n}function uf(e,t){let n=s=>e.words.find(o=>o.value===s)?.meaning.replace(/\.$/,"");return e.form===1?l(t==="true"?"yes":"no"):e.form===3?JSON.parse(t).map(s=>n(JSON.stringify(s))??s).join(", ")||"–":n(t)??t.replaceAll('"',"")}function cf({knob:e,value:t,isFixed:n,set:s}){let o={"aria-labelledby":`knob-${e.name}`,disabled:n},a={type:"number",min:e.minimum,max:e.maximum,step:e.step},r=i=>/^-?\d{1,7}$/.test(i);switch(e.form){case 1:return u("label",{class:"check",children:[u("input",{type:"checkbox",...o,checked:t==="true",onChange:()=>s(t==="true"?"false":"true")}),u("span",{children:l(t==="true"?"yes":"no")})]});case 2:return u("select",{...o,value:t,onChange:i=>s(i.currentTarget.value),children:e.words.map(i=>u("option",{value:i.value,children:i.meaning},i.value))});case 3:{let i=JSON.parse(t),c=d=>JSON.stringify(e.words.map(p=>JSON.parse(p.value)).filter(p=>i.includes(p)!==(p===d)));return u("div",{role:"group","aria-labelledby":o["aria-labelledby"],class:"row",children:e.words.map(d=>{let p=JSON.parse(d.value);return u("label",{class:"check",children:[u("input",{type:"checkbox",disabled:n,checked:i.includes(p),onChange:()=>s(c(p))}),u("span",{children:d.meaning||re(In(p))})]},p)})})}case 4:return u(_o,{...a,...o,text:t,set:i=>r(i)&&s(`${Number(i)}`)});case 6:case 8:{let i=JSON.parse(t),c=e.form===6?af:of,d=(m,h)=>{let f=c.map(g=>[g,g===m?h:i[g]]).filter(([,g])=>g!==void 0);s(`{${f.map(([g,b])=>`"${g}":${JSON.stringify(b)}`).join(",")}}`)},p=m=>m==="3b"?l("card.blackThree"):m==="W"?l("meld.wild"):re(In(m));return u("div",{role:"group","aria-labelledby":`knob-${e.name}`,class:"ranks",children:c.map(m=>u("label",{children:[u("span",{children:p(m)}),e.words.length>0?u("select",{disabled:n,value:i[m]===void 0?"":JSON.stringify(i[m]),onChange:h=>d(m,h.currentTarget.value===""?void 0:JSON.parse(h.currentTarget.value)),children:[u("option",{value:"",children:"–"}),e.words.map(h=>u("option",{value:h.value,children:h.meaning},h.value))]}):u(_o,{...a,disabled:n,text:`${i[m]??""}`,set:h=>d(m,r(h)?Number(h):e.form===8?i[m]:void 0)})]},m))})}default:return u(df,{knob:e,value:t,isFixed:n,set:s})}}function _o({text:e,set:t,...n}){let[s,o]=_(),a=r=>{o(void 0),t(r)};return u("input",{...n,value:s??e,onInput:r=>o(r.currentTarget.value),onChange:r=>a(r.currentTarget.value),onBlur:()=>o(void 0)})}function df({knob:e,value:t,isFixed:n,set:s}){let a=JSON.parse(t).map(c=>typeof c=="number"?`${c}`:c.below===void 0?`${c.minimum}`:`${c.below}: ${c.minimum}`).join(", "),r=e.form===7,i=c=>{let d=c.split(",").map(m=>m.split(":").map(h=>h.trim())).filter(([m])=>m!=="");if(!d.flat().every(m=>/^-?\d{1,7}$/.test(m)))return;let p=r&&(d.some(m=>m.length>1)||d.length===1);s(JSON.stringify(d.map(([m,h])=>p?h===void 0?{minimum:Number(m)}:{below:Number(m),minimum:Number(h)}:Number(m))))};return u(T,{children:[u(_o,{"aria-labelledby":`knob-${e.name}`,disabled:n,text:a,set:i}),u("p",{class:"note",children:l(r?"house.bands":"house.numbers")})]})}function lf(e,{variations:t,knobs:n}){let s=a=>a.replace(/"([\w]+)":/g,'"$1" = '),o=Object.entries(n).map(([a,r])=>`${a} = ${s(r)}`);return[`base = "${e}"`,...t.length>0?[`variations = ${JSON.stringify(t)}`]:[],"","[knobs]",...o,""].join(`
`)}function pf(e){let t={base:"",variations:[],knobs:{}},n=!1;try{for(let s of e.slice(0,2e4).split(/\r?\n/).map(o=>o.replace(/\s+#[^"]*$/,"").trim())){let[,o,a]=/^(\w+)\s*=\s*(.*)$/.exec(s)??[];if(s==="[knobs]")n=!0;else{if(s===""||s.startsWith("#")||o==="name")continue;if(o===void 0||a===void 0)return;{let r=a.replace(/([{,]\s*)"?(\w+)"?\s*=\s*/g,'$1"$2":'),i=JSON.parse(r);if(n)t.knobs[o]=r.replace(/\s/g,"");else if(o==="base")t.base=`${i}`;else if(o==="variations")t.variations=i;else return}}}}catch{return}return t.base===""?void 0:t}var ko=[{},{turn:60},{turn:120},{bank:900,increment:15}],gi=[0,1,2,3],wo=["Ada","Ben","Cleo","Dan","Eve","Finn"],hi=3,ff=["classic-4p","american-4p","hand-and-foot-4p"],yi=e=>JSON.parse(ie(`last.${e}`)??"null")??void 0;function vi(e){return ce(`last.${e.ruleSet}`,JSON.stringify({...e,word:""})),ce("last",e.ruleSet),e}function mf({id:e,seats:t,dealerRequired:n}){let s=yi(e),[o,a]=[s?.players.length??t,s?.seat??0],r=Array.from({length:o},(c,d)=>d),i={ruleSet:e,variations:[],knobs:{},takeBacks:3,...s,seat:a,word:"",clock:0,withFriends:!1,bots:r.filter(c=>c!==a),players:r.map(c=>c===a?ie("name")??`Player ${c+1}`:wo[c]??"")};return n&&(i.dealer=Math.floor(Math.random()*o)),i}function Ei({client:e,sets:t,hasRooms:n,isLocal:s,begin:o,resume:a,load:r}){let[i,c]=_(0),[d,p]=_(!1),[m,h]=_(!1),[f,g]=_(),b=ee(null),y=w=>{g(w),requestAnimationFrame(()=>b.current?.querySelector("h2")?.focus())},v=n?"withFriends":"setUp",k=[...new Set(t.map(w=>w.seats))].sort(),A=[...new Set([ie("last")??"",...ff])].flatMap(w=>t.find(j=>j.id===w)??[]).slice(0,3),N=w=>{m||(h(!0),o(vi(mf(w))).finally(()=>h(!1)))};return u("main",{id:"home",children:[u(gf,{word:s?"hero.local":n?"hero.rooms":"hero.alone"}),u(hf,{resume:a,isLocal:s}),u("section",{"aria-labelledby":"choose",class:f?"choosing chosen":"choosing",children:[u("div",{class:"head",children:u("h2",{id:"choose",children:l(n?"room.set":"playNow.title")})}),u("ul",{class:"sets first",children:A.map(w=>u("li",{class:"set",children:[u("b",{children:w.title}),u("span",{class:"text",children:C0(w.id,w.description)}),u(bi,{set:w}),u("span",{class:"buttons",children:[u("button",{type:"button",class:"primary","data-play":w.id,disabled:m,"aria-label":`${l("playNow")}: ${w.title}`,onClick:()=>N(w),children:l("playNow")}),u("button",{type:"button","data-setup":w.id,"aria-label":`${l(v)}: ${w.title}`,onClick:()=>y(w),children:l(v)})]})]},w.id))}),u("div",{class:"head",children:[u("button",{type:"button",id:"all-games","aria-expanded":d,"aria-controls":"games",onClick:()=>p(!d),children:l("allGames",{games:t.length})}),d&&u("p",{class:"filter",role:"group","aria-label":l("filter"),children:[0,...k].map(w=>u("button",{type:"button","aria-pressed":i===w,onClick:()=>c(w),children:w===0?l("filter.all"):l("players",{players:w})},w))})]}),u("ul",{class:"sets",id:"games",children:d&&t.filter(w=>i===0||w.seats===i).map(w=>u("li",{children:u("button",{type:"button",class:"set","data-set":w.id,"aria-pressed":f?.id===w.id,onClick:()=>y(w),children:[u("b",{children:w.title}),u("span",{class:"text",children:C0(w.id,w.description)}),u(bi,{set:w})]})},w.id))}),u("div",{ref:b,children:f&&u(Ro,{client:e,summary:f,hasRooms:n,begin:o,back:()=>g(void 0)},f.id)})]}),(!n||xn().length>0)&&u("section",{class:"load","aria-labelledby":"load-title",children:[u("h2",{id:"load-title",children:l("load")}),u("p",{class:"note",children:l("load.note")}),u("label",{class:"file",children:[l("load.choose"),u("input",{type:"file",accept:".clog",id:"load",onChange:w=>w.currentTarget.files?.[0]&&r(w.currentTarget.files[0])})]})]})]})}function bi({set:e}){return u("span",{class:"facts",children:[u("span",{children:l("players",{players:e.seats})}),u("span",{children:l("packs",{packs:e.packs})}),u("span",{children:e.target>0?l("target",{points:D(e.target)}):l("rounds",{rounds:e.rounds})})]})}function gf({word:e}){return u("div",{class:"hero",children:[u("div",{class:"spread","aria-hidden":"true",children:["c51","c11","c25","c52","c39"].map(t=>u("svg",{class:"face",viewBox:"0 0 62 88",children:u("use",{href:`#${t}`})},t))}),u("h1",{children:"Canasta"}),u("p",{children:l(e)})]})}function hf({resume:e,isLocal:t}){let[n,s]=[po().filter(o=>!t||o.isLocal),t?[]:xn()];return n.length+s.length===0?null:u("section",{"aria-labelledby":"kept-title",id:"kept",children:[u("h2",{id:"kept-title",children:l("kept")}),u("ul",{class:"list",children:[s.slice(0,hi).map(o=>u("li",{children:u("a",{class:"button",href:o.codes?.[0]?`#${o.codes[0]}`:`#t=${o.token}`,children:[u("b",{children:o.title})," ",u("span",{class:"note",children:[o.players.map(Ce).join(", ")," · ",new Date(o.at).toLocaleString(document.documentElement.lang)]})]})},o.id)),n.slice(0,hi).map(o=>u("li",{children:u("button",{type:"button",onClick:()=>e(o),children:[u("b",{children:o.title})," ",u("span",{class:"note",children:[o.end===void 0?l("round",{round:o.round}):l("gameOver")," · ",new Date(o.at).toLocaleString(document.documentElement.lang)]})]})},o.id))]})]})}function Ro({client:e,summary:t,hasRooms:n,begin:s,back:o,isOfRoom:a=!1}){let[r,i]=_([]),c=yi(t.id),{rounds:d="0",...p}=c?.knobs??{},m=gi.includes(Number(d)),[h,f]=_({variations:c?.variations??[],knobs:m?p:c?.knobs??{}}),[g,b]=_(!1),[y,v]=_(n?0:c?.seat??0),k=n?void 0:c?.players.map(R=>wo.includes(R)||/^Player \d$/.test(R)?"":R),[A,N]=_(k??[ie("name")??""]),[w,j]=_(c?.takeBacks??3),[X,z]=_(c?.clock??0),[S,M]=_(m?Number(d):0),[q,Y]=_("");C(()=>{e.getRuleSet({id:t.id}).then(({ruleSet:R})=>i(R?.variations??[]))},[]);let W=h.variations,X0=R=>f({...h,variations:R}),ge=R=>h.knobs[R]??r.find(de=>W.includes(de.id)&&de.knobs[R])?.knobs[R],ae=Math.min(6,Math.max(2,Number(ge("seats")??t.seats))),Je=ge("rounds")===void 0,Ct=Array.from({length:ae},(R,de)=>de),ct=R=>R!==y,dt=R=>A[R]?.trim()||(ct(R)?wo[R]:void 0)||`Player ${R+1}`,Qt={...h.knobs,...S>0&&Je?{rounds:`${S}`}:{}},Y0=async R=>{if(R.preventDefault(),g)return;b(!0),A[y]?.trim()&&ce("name",A[y].trim());let de=q.trim()===""?Math.floor(Math.random()*ae):0,Kn={ruleSet:t.id,variations:W,knobs:Qt,players:Ct.map(dt),seat:y,bots:Ct.filter(ct),takeBacks:w,clock:X,word:q.trim(),withFriends:R.submitter?.id==="begin-room",...t.dealerRequired?{dealer:de}:{}};await s(vi(Kn)).finally(()=>b(!1))};return u("form",{id:"setup",onSubmit:R=>{Y0(R)},"aria-labelledby":"setup-title",children:[u("h2",{id:"setup-title",tabIndex:-1,children:t.title}),u("p",{class:"note",children:C0(t.id,t.description)}),u("div",{class:"columns",children:[u("div",{children:[!a&&u("fieldset",{children:[u("legend",{children:l(n?"room.name":"seats")}),(n?[0]:Ct).map(R=>u("div",{class:"place",children:[!n&&u("label",{class:"radio",children:[u("input",{type:"radio",name:"seat",checked:y===R,onChange:()=>v(R)}),u("span",{children:l("me")})]}),u("input",{class:"name",required:n,"aria-label":n?l("room.name"):l("name.of",{number:R+1}),maxLength:32,placeholder:n?"":Ce(dt(R)),value:A[R]??"",onInput:de=>N(Object.assign([...A],{[R]:de.currentTarget.value}))})]},R))]}),r.length>0&&u("details",{children:[u("summary",{children:l("variations")}),u("div",{class:"variations",children:r.map(R=>u("label",{class:"check",children:[u("input",{type:"checkbox",checked:W.includes(R.id),onChange:()=>X0(W.includes(R.id)?W.filter(de=>de!==R.id):[...W,R.id])}),u("span",{children:[u("b",{lang:"en",children:R.title})," ",u("small",{lang:"en",children:[R.description," (",R.id,")"]})]})]},R.id))})]}),u(pi,{client:e,id:t.id,canonical:async()=>(await e.getRuleSet({id:t.id,houseRules:qe(W,Qt)})).ruleSet?.canonical}),u(mi,{client:e,base:t.id,variations:r,chosen:h,change:f})]}),u("div",{children:[Je&&u("label",{children:[l("length"),u("select",{id:"length",value:S,onChange:R=>M(Number(R.currentTarget.value)),children:gi.filter(R=>t.rounds===0||R<t.rounds).map(R=>u("option",{value:R,children:R>0?l("rounds",{rounds:R}):l("length.whole")},R))})]}),u("label",{children:[l("level"),u("select",{id:"level",value:je(),onChange:R=>ce("level",R.currentTarget.value),children:[1,2,3,4,5,6].map(R=>u("option",{children:R},R))})]}),n?u(T,{children:[u("label",{children:[l("clock.choose"),u("select",{id:"clock",value:X,onChange:R=>z(Number(R.currentTarget.value)),children:ko.map((R,de)=>u("option",{value:de,children:R.turn?l("clock.turn",{seconds:R.turn}):R.bank?l("clock.bank",{minutes:R.bank/60,seconds:R.increment??0}):l("clock.none")},de))})]}),u("label",{children:[l("takeBacks"),u("select",{id:"take-backs",value:w,onChange:R=>j(Number(R.currentTarget.value)),children:[3,2,1].map(R=>u("option",{value:R,children:l(`takeBacks.${R}`)},R))})]})]}):u("label",{children:[l("word"),u("input",{id:"word",maxLength:64,autocomplete:"off",value:q,onInput:R=>Y(R.currentTarget.value),"aria-describedby":"word-note"}),u("small",{id:"word-note",class:"note",children:l("word.note")})]})]})]}),u("p",{class:"buttons",children:[n&&!a&&u("button",{id:"begin-room",class:"primary",disabled:g,children:l("begin.room")}),u("button",{id:"begin",class:n&&!a?"":"primary",disabled:g,formNoValidate:!0,children:l(a?"room.rules.use":n?"begin.bots":"begin.alone")}),u("button",{type:"button",onClick:o,children:l("back")})]})]})}function L0(){return u("label",{children:[l("language")," ",u("select",{id:"language",value:K,onChange:e=>O0(e.currentTarget.value),children:Object.entries(M0).map(([e,t])=>u("option",{value:e,children:t},e))})]})}var bf=500,Si=["UNAUTHENTICATED","PERMISSION_DENIED","NOT_FOUND"];function Ao(e){let t=decodeURIComponent(e.slice(1)).toLowerCase().replace(/[\s-]/g,"");return/^[0-9a-z]{12}$/.test(t)?t:void 0}var On=e=>`${location.origin}${location.pathname}#${e.replaceAll("-","")}`,Mn=class e{constructor(t,n){this.visit=t;this.around=n;this.room=t.room,this.take({room:t.room})}visit;around;room;summary;present;left=new Map;table;isApart=!0;said="";key="";learned="";learning;changing=Promise.resolve();last={key:"",at:-1/0};static async enter(t,n,s){let o=mo(t),a=async()=>o&&Ve.back(n.options,o.token).catch(c=>{if(!Si.includes(L.of(c).reason))throw c}),[r]=await Promise.all([a().then(c=>c??Ve.enter(n.options,t)),s]),i=new e(r,n);return i.isPlaying||await i.learning,i}async run(t){for(;!t.aborted;)try{for await(let n of this.visit.news(t))this.take(n)}catch(n){if(this.chair===void 0||!Si.includes(L.of(n).reason))throw n;this.visit=await Ve.enter(this.around.options,this.room.code),this.said=l("room.stoodUp"),this.take({room:this.visit.room})}}take({room:t,present:n}){let[s,o]=[P(t.roomId),t.code.replaceAll("-","")];this.room=t,n&&this.see(new Set(n.flatMap(({seat:i})=>i??[])));let a=this.summary?.title??t.rules?.ruleSet??"",r=[...new Set([o,...mo(o)?.codes??[]])].slice(0,4);Tn({id:s,token:this.visit.token,title:a,players:t.chairs.map(i=>i.name).filter(Boolean),codes:r}),Ao(location.hash)!==o&&history.replaceState(null,"",`#${o}`),this.learning=this.learn(),this.follow(),this.table?.view&&this.name(this.table.view),this.around.changed()}see(t){for(let n of this.room.chairs.keys())t.has(n)?this.left.delete(n):this.present?.has(n)&&this.left.set(n,Date.now());this.present=t}follow(){let t=We(this.room.gameLink?.token??""),n=t&&this.isPlaying?this.visit.game():void 0;if(!t||!n)return;let s=`${n.id} ${JSON.stringify(t.actor)} ${t.expiresAtMs}`;s!==this.key&&(this.key=s,this.open(n),this.chair===void 0&&this.table&&this.room.chairs.some(({name:o})=>o==="")&&(this.table.panel="room"))}open(t){this.isApart=!1,this.table=this.around.sit(t),this.table.meeting=this}go(t){let n=this.visit.game();t&&!this.table&&n&&this.open(n),this.isApart=!t,this.around.changed()}async learn(){let{rules:t}=this.room,n=JSON.stringify([t?.ruleSet,t?.houseRules]);if(!t||n===this.learned)return;this.learned=n;let s={id:t.ruleSet,...t.houseRules?{houseRules:t.houseRules}:{}},o=await G(te,Se(this.around.options)).getRuleSet(s).catch(()=>{});this.summary=o?.ruleSet?.summary,this.around.changed()}change(t){let n=t.case==="ready"?t.case:JSON.stringify(t);if(n!==this.last.key||performance.now()-this.last.at>=bf){let s=this.last={key:n,at:1/0};this.changing=this.changing.then(()=>this.make(t)).finally(()=>s.at=performance.now())}return this.changing}async make(t){this.said="";try{this.take({room:await this.visit.change(t)})}catch(n){if(L.of(n).reason!=="INVALID_FIELD")return this.around.fail(n);this.said=l("room.late"),await this.look()}}sitDown(t,n){let s=this.room.chairs.some((o,a)=>a!==this.chair&&o.name.toLowerCase()===n.toLowerCase());if(this.said=s?l("room.name.taken",{name:n}):"",s)return this.around.changed();ce("name",n),this.change({case:"sitDown",value:{chair:t,name:n}})}bot(t,n){return this.change({case:"bot",value:{chair:t,plays:n,level:je()}})}turn(){let t=this.room.chairs.length,n=s=>t===2?1-s:s===0?0:s%(t-1)+1;this.change({case:"seating",value:{seats:this.room.seating.map(n)}})}async look(){await this.visit.look().then(t=>this.take({room:t}),this.around.fail)}get chair(){return this.visit.chair}get isHost(){return this.chair!==void 0&&this.room.host===this.chair}get isPlaying(){let t=this.room.games.at(-1);return t!==void 0&&t.end===void 0}get chairs(){let t=this.room.games.at(-1);return this.isPlaying&&t?t.chairs:[...this.room.seating.keys()].sort((n,s)=>(this.room.seating[n]??0)-(this.room.seating[s]??0))}chairOf(t){return this.room.games.at(-1)?.chairs[t]??t}name(t){for(let n of t.seats){let{name:s="",bot:o=!1}=this.room.chairs[this.chairOf(n.seat)]??{};(s!==""||o&&!/^Bot\b/.test(n.name))&&(n.name=s||"Bot")}}nameOf(t){let{name:n,bot:s}=this.room.chairs[t]??{};return Ce(n??"")||l(s?"bot":"room.free")}isGone(t){return this.present!==void 0&&this.room.chairs[t]?.name!==""&&!this.present.has(t)&&t!==this.chair}isAway(t){let n=this.chairOf(t);return this.isGone(n)&&!this.room.chairs[n]?.bot&&!this.table?.present.includes(t)}};var yf=["GetRule","GetCatalogue","ListKnobs","ExplainRuleSet"].map(e=>`canasta.v1.GameService/${e}`),Cn=class e{constructor(t,n){this.engine=t;this.source=n}engine;source;texts;static async load(t=wi("canasta.wasm"),n=wi("texts.wasm")){return new e(await _i(t),n)}static needsTexts(t){return yf.includes(t)}call(t,n){return ki(this.engine,t,n)}async ask(t,n){return e.needsTexts(t)?(this.texts??=_i(this.source),ki(await this.texts,t,n)):this.call(t,n)}local(t,n){return this.call(`local/${t}`,n)}stateOf(t){return this.local("StateOf",new TextEncoder().encode(t))}notationOf(t){return new TextDecoder().decode(this.local("NotationOf",t))}};async function _i(e){let t=typeof e=="function"?await e():e,{instance:n}=await WebAssembly.instantiate(t,{});return n.exports}function wi(e){return async()=>{let t=new URL(`../built/${e}`,import.meta.url);if(t.protocol!=="file:")return(await fetch(t)).arrayBuffer();let n="node:fs/promises",{readFile:s}=await import(n);return s(t)}}function ki(e,t,n){let s=new TextEncoder().encode(t),o=e.reserve(s.length+n.length);if(o===0)throw new O("request: longer than 68 MiB",x.OutOfRange);let a=new Uint8Array(e.memory.buffer,o);a.set(s),a.set(n,s.length);let r=e.call(s.length),i=new Uint8Array(e.memory.buffer,e.answer(),r).slice();if(i[0]===0)return i.subarray(1);throw vf(i.subarray(1))}function vf(e){let t=new Ee(e),[n,s]=[x.Internal,""],o=[];for(;t.pos<t.len;){let[r,i]=t.tag();r===1?n=t.int32():r===2?s=t.string():r===3?o.push(Ef(t.bytes())):t.skip(i)}let a=new O(s,n);return a.details.push(...o),a}function Ef(e){let t=new Ee(e),n={type:"",value:new Uint8Array};for(;t.pos<t.len;){let[s,o]=t.tag();s===1?n.type=t.string().replace(/^.*\//,""):s===2?n.value=t.bytes():t.skip(o)}return n}function xo(e,t){return he(e.local("Pack",t),"url")}function To(e,t){let n=e.local("Unpack",Sf(t));return n[0]===0?{log:n.subarray(1)}:{log:n.subarray(33),fullHead:n.subarray(1,33)}}function Sf(e){try{let t=Re(e);if(he(t,"url")===e)return t}catch{}return new Uint8Array}function G0(e){let t=async(s,o,a)=>(a?.throwIfAborted(),be(s.output,await e.ask(`${s.parent.typeName}/${s.name}`,o))),n=()=>({header:new Headers,trailer:new Headers});return{async unary(s,o,a,r,i){let c=await t(s,Ri(s.input,i),o);return{stream:!1,service:s.parent,method:s,message:c,...n()}},async stream(s,o,a,r,i){if(s.methodKind!=="client_streaming")throw new O("a program without a server has no streams of answers",x.Unimplemented);let c=new Xe;for await(let m of i)c.bytes(Ri(s.input,m));let d=await t(s,c.finish(),o),p=(async function*(){yield d})();return{stream:!0,service:s.parent,method:s,message:p,...n()}}}}var Ri=(e,t)=>Ie(e,Z(e,t));var Ai=(e,t)=>{let n=G(te,e);return{rule:s=>n.getRule({key:{case:"ruleId",value:s},languageCode:K}),find:async s=>n.getRule({key:{case:"words",value:s},canonical:await t()})}},xi=(e,t)=>({id:e.id,eyes:e.actor,...Ai(t,()=>e.ruleSet()),describe:(n,s,o,a)=>e.describe(s,o,a)});function Ti({id:e,log:t,transport:n,isLive:s}){return{id:e,log:t,transport:n,...Ai(n,async()=>Vt(t)),describe:(o,a,r,i)=>Ft(n,t,o,a,r,i),audit:()=>N0(n,t,s),explain:(o,a)=>Ju(n,t,o,a)}}async function Io(e){let t=new Blob([e]).stream().pipeThrough(new DecompressionStream("deflate-raw"));return new Uint8Array(await new Response(t).arrayBuffer())}async function Ln(e){let t=document.getElementById(e)?.textContent;if(t)return Io(Re(t))}async function Ii(){let e=document.querySelector("script[type=module]:not([src])")?.textContent,t=await Promise.all(No.map(Ln));if(e==null)return;let n=$e([new TextEncoder().encode(e),...t.flatMap(s=>s??[])]);return P(new Uint8Array(await crypto.subtle.digest("SHA-256",n)))}var No=["canasta.wasm","texts.wasm"],Ni=e=>async()=>await Ln(e)??(await fetch(`/${e}`)).arrayBuffer(),_f,P0=()=>_f??=Cn.load(Ni(No[0]),Ni(No[1])),Rt=async()=>G0(await P0()),Di=async e=>To(await P0(),e),Mi=async e=>xo(await P0(),e);async function Gn(e,t,n=!1,s={}){let o=await P0(),a=G0(o),r=async i=>{let c=new Xe;for(let d of T0({actor:He,n:i},t))c.bytes(Ie(Js,Z(Js,d)));return o.local("StateAfter",c.finish())};return{...Ti({id:e,log:t,transport:a,isLive:n}),stateAfter:r,...s}}var Oi=["melded_cards","natural_canastas","mixed_canastas","wild_canastas","sequence_canastas","incomplete_melds","held_trios","threes","going_out","concealed","cut","foot_cut","hand_cards","foot_cards","restores","special_hand","no_canasta","adjustments"];function At(e){let t=new Set(e.scores.flatMap(n=>n.lines.map(s=>s.item)));return[...Oi.filter(n=>t.has(n)),...[...t].filter(n=>!Oi.includes(n))]}var Ci=8n;async function Li(e,t,n){let s=e instanceof _e?e.judge:await Rt();return(await Ft(s,await e.log(),He,n>Ci?n-Ci:0n,n,!0)).findLast(({view:r})=>r?.round===t&&r.seats.some(({hand:i})=>i.length>0))?.view?.seats.map(({hand:r})=>r)}function Gi({table:e,side:t}){let{view:n,sheet:s,counted:o}=e;if(!s)return null;let a=At(s).slice(0,o),r=({owner:c})=>(c.case==="seat"?n.seats[c.value]?.side:c.value)===t,i=s.scores.filter(r);return u("span",{class:"counted","aria-hidden":"true",children:i.map((c,d)=>{let p=c.lines.filter(g=>a.includes(g.item)),m=p.find(g=>g.item===a.at(-1)),h=p.reduce((g,b)=>g+b.points,0),f=i.length>1&&c.owner.case==="seat"?`${U(n,c.owner.value)} `:"";return u("span",{children:[f,u("b",{children:D(h)},h),m&&o<At(s).length&&u("small",{children:[e.words.line(m)," ",D(m.points)]})]},d)})})}var Pi=420,wf=55,kf=6,Mo=()=>matchMedia("(prefers-reduced-motion: reduce)").matches||document.hidden;function Ui(){let e=new Map;for(let t of document.querySelectorAll("#hand [data-card]")){let n=t.dataset.card??"";e.set(n,[...e.get(n)??[],t.getBoundingClientRect()])}return e}function Rf({kind:e},t){let{value:n}=e;switch(e.case){case"drew":return[{cards:e.value.cards,from:"stock",to:`seat${e.value.seat}`}];case"replaced":return[{cards:[e.value.card],from:"stock",to:`seat${e.value.seat}`}];case"upcard":return[{cards:[e.value.card],from:"stock",to:"pile"}];case"dealt":return e.value.hands.map((s,o)=>({cards:["back","back","back"],from:"stock",to:`seat${o}`}));case"melded":return[{cards:e.value.cards,from:`seat${t}`,to:`meld${e.value.side}.${e.value.meld}`}];case"unmelded":return[{cards:e.value.cards,from:`meld${e.value.side}.${e.value.meld}`,to:`seat${t}`}];case"tookPile":return[{cards:e.value.cards.length>0?e.value.cards:["back"],from:"pile",to:`seat${e.value.seat}`}];case"tookTalon":return[{cards:e.value.cards,from:"stock",to:`seat${e.value.seat}`}];case"threeLaid":return[{cards:[e.value.card],from:`seat${e.value.seat}`,to:`threes${e.value.seat}`}];case"discarded":return[{cards:[e.value.faceDown?"back":e.value.card],from:`seat${e.value.seat}`,to:"pile"}];default:return n?[]:[]}}var Do=e=>document.querySelector(`[data-at="${e}"]`)?.getBoundingClientRect();function Bi(e,t,n,s){if(Mo())return 0;let o=0;for(let{cards:a,from:r,to:i}of e.flatMap(c=>Rf(c,n))){let c=Do(i)??Do(i.replace("threes","seat"));for(let d of a.slice(0,kf)){let m=(r===`seat${s}`?t.get(d)?.shift():void 0)??Do(r);m&&c&&Af(d,m,c,o),o+=wf}}return o===0?0:o+Pi}function Af(e,t,n,s){let o=document.createElement("div");o.className="ghost",v0(mu(me,{card:e}),o),document.body.append(o);let{width:a,height:r}=o.getBoundingClientRect(),i=(p,m)=>`translate(${p.x+p.width/2-a/2}px, ${p.y+p.height/2-r/2}px) rotate(${m}deg)`,c=[{transform:i(t,0),opacity:.4},{opacity:1,offset:.15},{opacity:1,offset:.85},{transform:i(n,0),opacity:0}],d=o.animate(c,{duration:Pi,delay:s,easing:"cubic-bezier(.3,.7,.3,1)",fill:"both"});d.onfinish=()=>o.remove(),d.oncancel=()=>o.remove()}var Hi;async function xt(e){Hi??=await Wu(e,K)}var ve=class extends k0{constructor(n,s,o){super(Hi??[],n,s);this.table=n;this.by=o}table;by;write(n,s){switch(n){case"FACT_TYPE_SEAT":case"FACT_TYPE_SEATS":return U(this.table,Number(s));case"FACT_TYPE_SIDE":return this.by!==void 0&&this.table.seats[this.by]?.side===s?U(this.table,this.by):ot(this.table,Number(s));case"FACT_TYPE_CARD":case"FACT_TYPE_CARDS":return Ke(String(s));case"FACT_TYPE_RANK":return s==="X"||s==="T"?Ke(s):void 0;case"FACT_TYPE_MELD":{let o=this.table.sides.find(a=>a.side===this.side)?.melds.find(a=>a.id===s);return o&&rt(o)}default:return}}finish(n){return re(n)}};function fe(e){if(e.verdict.case==="legal")return"legal";let t=e.verdict.value?.violations.map(n=>n.code)??[];return t.length>0&&t.every(n=>n==="INITIAL_BELOW_MINIMUM")?"short":"illegal"}var qi=[2,4,3,5];function Oo({kind:e}){return e.case==="meld"?e.value.groups:e.case==="takePile"?[e.value,...e.value.also]:[]}function $i(e){let{kind:t}=e;return t.case==="discard"?[t.value.card]:t.case==="layThrees"?t.value.cards:Oo(e).flatMap(n=>n.cards)}function Co(e,t,n){let s=new ve(t,n),o=a=>{let r=J(a);return r===void 0?l("table"):U(t,r)};return e.flatMap(({record:a,events:r})=>{let i=a?.action&&`${o(a.actor)}: ${s.action(a.action)}`;return(r.length>0?r.map(d=>s.event(d)):[i??""]).filter(Boolean).map(d=>({n:a?.n??0n,text:d}))})}async function Wi(e,t,n,s){let o=Number(t.seq-s),a=t.n-BigInt(4*o+8),r=await e.describe(a>0n?a:0n,t.n,!1).catch(()=>[]);return Co(r.filter(({record:i})=>i?.action).slice(-o),t,n).map(i=>i.text)}var Go={slow:1400,brisk:550,once:0},xf=650,Tf=2500,Jt=class{constructor(t,n){this.game=t;this.changed=n}game;changed;view;clock;clockAt=0;offer;offered=[];endOffer;meeting;hand=[];picked=new Set;fresh=[];chosen;options=[];legal=[];hinted;why="";refusal=[];notice="";rounds=[];draw;end;sheet;counted=1/0;lines=[];happened=[];thinksSince=0;order;own=[];panel;pace=ie("pace")??"brisk";botSeats=[];present=[];isReplay=!1;before;bottom;sent=0n;isSending=!1;lastOwn=0n;dismissed=()=>{};asked=0;isAsking=!1;asking=Promise.resolve();get me(){return this.isReplay?void 0:J(this.game.actor)}get room(){return this.game instanceof st?this.game:void 0}get isAlone(){return this.game instanceof _e}get isAway(){return this.me!==void 0&&this.botSeats.includes(this.me)}get side(){return this.me===void 0?void 0:this.view.seats[this.me]?.side}get isMine(){let{view:t,me:n}=this;return n!==void 0&&!this.isReplay&&this.sheet===void 0&&(t.toAct===n||t.talonOffered===n)}get isBusy(){return this.isSending||this.view.seq<this.sent}get isChanging(){return this.isBusy||this.isAsking}get words(){return new ve(this.view,this.side)}async run(t){for await(let n of this.game.news(t))await this.take(n)}async take(t){let n=this.view===void 0,s=this.view?.turn;if(n){let c=ei(this.game.id);return[this.order,this.own]=[c?.order,c?.own??[]],this.show(t),this.changed(),this.recall(),this.orderByRules(),this.ask()}this.draw??=U0(t.events),t.roundEnd&&await this.over(t.roundEnd,t);let o=Ui(),a=t.view.seq!==this.view.seq||t.takenBackToSeq!==void 0||t.skipped>0;if(t.takenBackToSeq!==void 0?this.notice=l("takenBack"):a&&s!==this.me&&(this.notice=""),this.note(t,s),this.show(t),t.gameEnd&&(this.end=t.gameEnd,this.meeting?.look()),this.changed(),a&&this.ask(),t.events.length===0)return;let r=this.pace==="once"?0:Bi(t.events,o,s,this.me);s===this.me&&s!==void 0||await Lo(Math.max(r,Go[this.pace]))}show({view:t,clock:n,offer:s,endOffer:o,takenBackToSeq:a,botSeats:r,present:i,gameEnd:c}){let d=this.isSending?[]:this.held,p=this.view===void 0?void 0:Nf(this.view.seats[this.me??-1]?.hand??[]),m=this.view?.seq===t.seq&&a===void 0;if((this.view?.toAct!==t.toAct||this.view?.round!==t.round)&&(this.thinksSince=performance.now()),(this.offer??this.endOffer)?.by===this.me&&this.me!==void 0&&m&&!s&&!o&&!c&&(this.notice=l("offer.declined")),this.view=t,this.meeting?.name(t),s&&s.toSeq!==this.offer?.toSeq&&this.explain(s.toSeq),[this.clock,this.clockAt,this.offer,this.endOffer,this.botSeats]=[n,performance.now(),s,o,r],this.present=i.flatMap(({seat:h})=>h??[]),!m){[this.legal,this.isAsking,this.fresh]=[[],!0,[]];for(let h of t.seats[this.me??-1]?.hand??[]){let f=p?.get(h)??0;p&&f===0&&this.fresh.push(h),p?.set(h,f-1)}this.reset(d)}}get held(){return this.hand.filter((t,n)=>this.picked.has(n))}reset(t=[]){this.chosen=void 0,[this.hinted,this.why]=[void 0,""],this.options=[],this.hand=ao(this.view.seats[this.me??-1]?.hand??[],this.order,this.own),this.order==="own"&&(this.own=this.hand),this.pickCards(t)}async orderByRules(){if(this.order!==void 0||this.me===void 0)return;let t=await this.game.ruleSet().catch(()=>{}),{sequences:n}=t?JSON.parse(t):{sequences:/^(samba|bolivia)-/.test(this.view.ruleSet)};n&&this.order===void 0&&this.arrange("suit",!1)}arrange(t,n=!0){let s=this.held;this.order=t,this.own=this.hand,this.hand=ao(this.hand,t,this.own),t!=="own"&&this.pickCards(s),n&&ti(this.game.id,t,this.own),this.changed()}move(t,n){let s=this.hand.map((i,c)=>c),o=s.filter(i=>!t.includes(i)),a=o.filter(i=>i<n).length,r=[...o.slice(0,a),...t,...o.slice(a)];this.hand=r.map(i=>this.hand[i]),this.picked=new Set(s.filter(i=>this.picked.has(r[i]))),this.arrange("own")}pickCards(t){this.picked.clear();for(let n of t){let s=this.hand.findIndex((o,a)=>o===n&&!this.picked.has(a));s>=0&&this.picked.add(s)}}async over(t,n){this.rounds.push(t),n.roundOver&&(this.view=n.roundOver,this.meeting?.name(this.view),this.reset()),[this.sheet,this.refusal,this.end]=[t,[],n.gameEnd],this.panel=void 0,this.counted=this.pace==="once"||Mo()?1/0:0,this.changed();let s=this.turn(t,n.view.n);for(this.counted===0&&await Promise.race([s,Lo(Tf)]);this.counted<=At(t).length;)await Lo(xf),this.counted+=1,this.changed();n.gameEnd||await new Promise(o=>this.dismissed=o)}async turn({round:t},n){let{game:s,view:o}=this;if(o.round!==t)return;let a=await Li(s,t,n).catch(()=>{});if(!(!a||this.view!==o)){for(let r of o.seats)r.seat!==this.me&&(r.hand=a[r.seat]??[]);this.changed()}}dismiss(){this.sheet=void 0,this.changed(),this.dismissed()}note({view:t,events:n},s){let o=new ve(t,this.side),a=n.map(i=>o.event(i)).filter(Boolean);for(let i of a)this.lines.push({n:t.n,text:i});let r=new ve(t,this.side,s);a.length>0&&(this.happened=n.map(i=>r.event(i)).filter(Boolean))}async recall(){let t=await this.game.describe(0n,this.view.n,!1).catch(()=>[]);this.lines=[...Co(t,this.view,this.side),...this.lines],this.draw??=U0(t.flatMap(({events:s})=>s));let n=t.flatMap(s=>s.roundEnd??[]);this.rounds=[...n,...this.rounds],this.end??=t.find(s=>s.gameEnd)?.gameEnd,this.end&&(this.sheet=this.rounds.at(-1)),this.changed()}async explain(t){this.offered=[],this.offered=await Wi(this.game,this.view,this.side,t),this.changed()}toggle(t){this.picked.delete(t)||this.picked.add(t),[this.hinted,this.why]=[void 0,""],this.changed(),this.ask()}drop(){this.picked.clear(),this.changed(),this.ask()}pickOnly(t){this.picked.has(t)||(this.picked=new Set([t]),this.changed(),this.ask())}clear(){[this.refusal,this.notice]=[[],""],this.reset(),this.changed(),this.ask()}ask(){return this.asking=this.question(),this.asking}async question(){this.asked+=1;let{asked:t,isMine:n,view:s}=this,o=s.phase===3||s.phase===4||s.phase===8;if(!n)[this.options,this.legal]=[[],[]];else try{let[a,r]=await Promise.all([o&&s.toAct===this.me?this.game.options(this.held,this.chosen):void 0,this.game.legal()]);if(t!==this.asked)return;[this.options,this.legal]=[a?.options??[],r]}catch(a){if(t!==this.asked)return;this.fail(a)}this.isAsking=!1,this.changed()}fail=()=>{};option(t,n){let s=this.options.filter(a=>a.destination===t&&(n===void 0||a.meld===n)),o=["legal","short","illegal"];return s.sort((a,r)=>o.indexOf(fe(a))-o.indexOf(fe(r)))[0]}async choose(t,n=!1){let s=fe(t);if(this.notice="",s==="legal"&&!n)return this.act(t.action);if(s==="illegal")return this.refusal=t.verdict.case==="rejected"?t.verdict.value.violations:[],this.changed();this.chosen=t.action,this.refusal=[],this.hand=this.hand.filter((o,a)=>!this.picked.has(a)),this.picked.clear(),this.changed(),await this.ask()}async act(t){if(!this.isBusy){this.isSending=!0,[this.refusal,this.notice]=[[],""],this.changed();try{let n=await this.game.act(t,this.view.seq);n.case==="refused"?this.refusal=n.violations:n.case==="stale"?this.notice=l("stale"):([this.sent,this.lastOwn]=[n.seq,n.seq],this.isBusy&&this.picked.clear())}catch(n){this.fail(n)}finally{this.isSending=!1,this.changed()}}}async hint(){try{let{action:t,reason:n}=await this.game.suggest(je());this.reset(t?$i(t):[]),this.hinted=t,this.why=this.words.reason(n),this.notice=t?"":l("nothingToDo"),this.changed(),await this.ask()}catch(t){this.fail(t)}}get mayTakeBack(){return this.lastOwn>0n&&this.sheet===void 0&&!this.isBusy}async takeBack(t=this.lastOwn-1n){try{let n=await this.game.takeBack(t,this.view.seq),s=n.case==="refused"?n.refused?.reason??0:0;this.notice=n.case==="done"?l("takenBack"):n.case==="offered"?"":l(`takeBack.${s}`),n.case==="done"&&(this.lastOwn=0n)}catch(n){this.fail(n)}this.changed()}async setBot(t,n){try{await(this.meeting?this.meeting.bot(this.meeting.chairOf(t),n):this.room?.setBot(t,n)),this.notice=l(n?"bot.plays":"bot.gone",{name:U(this.view,t)})}catch(s){this.fail(s)}this.changed()}setPace(t){this.pace=t,ce("pace",t),this.changed()}open(t){this.panel=t,this.changed()}},U0=e=>e.flatMap(({kind:t})=>t.case==="drawn"?t.value:[])[0],Lo=e=>new Promise(t=>setTimeout(t,e));function Nf(e){let t=new Map;for(let n of e)t.set(n,(t.get(n)??0)+1);return t}var B0=e=>ie(e)==="on"||e==="vibration"&&ie(e)===void 0;function Vi(){return[["sound","AudioContext"in window],["vibration","vibrate"in navigator&&navigator.maxTouchPoints>0],["notification","Notification"in window&&isSecureContext]].filter(([,t])=>t).map(([t])=>[t,B0(t)&&(t!=="notification"||Notification.permission==="granted")])}async function Fi(e,t){t&&e==="notification"&&await Notification.requestPermission()!=="granted"||(ce(e,t?"on":"off"),t&&e==="sound"&&Ki(),t&&e==="vibration"&&navigator.vibrate(60))}var Xt;function Ki(){Xt??=new AudioContext,Xt.resume();for(let[e,t]of[[0,660],[.14,880]]){let[n,s,o]=[Xt.createOscillator(),Xt.createGain(),Xt.currentTime+e];n.frequency.value=t,s.gain.setValueAtTime(.16,o),s.gain.exponentialRampToValueAtTime(.001,o+.32),n.connect(s).connect(Xt.destination),n.start(o),n.stop(o+.34)}}function Po(e,t){document.title=t?`● ${l("yourTurn")} · ${e}`:`${e} · Canasta`;let n=document.querySelector("link[rel=icon]"),s=t?"/turn.svg":"/favicon.svg";n&&n.getAttribute("href")!==s&&n.setAttribute("href",s)}function ji(e){navigator.userActivation?.hasBeenActive!==!1&&(B0("sound")&&Ki(),B0("vibration")&&navigator.maxTouchPoints>0&&navigator.vibrate?.(60)),document.hidden&&B0("notification")&&Notification.permission==="granted"&&If(e)}async function If(e){let t={body:e,tag:"canasta",icon:"/icon.png"},n=await navigator.serviceWorker?.getRegistration();if(n?.active)return n.showNotification(l("yourTurn"),t);let s=new Notification(l("yourTurn"),t);s.onclick=()=>{window.focus(),s.close()}}var Pn=(e,{owner:t})=>t.case==="seat"?U(e,t.value):ot(e,t.value??0);function H0(e,t){if(t.reason===1)return re(l("ended.DRAWN"));let n=t.seat===void 0?"":U(e,t.seat),s=l(`ended.${zs[t.reason]}`,{name:n});return`${l("round",{round:t.round})}: ${s}${t.concealed?`, ${l("concealed")}`:""}`}function Un({table:e,round:t,isTitled:n=!1,isExplained:s=!1,ask:o}){if(t.reason===1)return u(Df,{table:e,isTitled:n});let a=At(t),r=e.words,i=(f,g)=>f.lines.find(b=>b.item===g),c=f=>{let g=t.scores.map(b=>i(b,f)).find(b=>b!==void 0);return g?r.line({...g,count:void 0}):f},d=f=>t.scores.some(g=>(i(g,f)?.points??0)<0)?l(`minus.${f}`):"",p=f=>t.scores.flatMap(g=>i(g,f)?.ruleIds??[]).filter((g,b,y)=>y.indexOf(g)===b),m=f=>[s?l(`item.${f}`):"",d(f)].filter(Boolean),h=(f,g)=>{let b=i(f,g);return b?b.count===void 0?D(b.points):l("for",{count:b.count,points:D(b.points)}):""};return u("table",{class:"sheet",children:[u("caption",{class:n?"hidden":void 0,children:H0(e.view,t)}),u("thead",{children:u("tr",{children:[u("th",{scope:"col",children:l("sheet.for")}),t.scores.map((f,g)=>u("th",{scope:"col",children:Pn(e.view,f)},g))]})}),u("tbody",{children:[a.map(f=>u("tr",{children:[u("th",{scope:"row",children:[c(f),m(f).map(g=>u("small",{class:"note",children:g},g))," ",u(So,{ids:p(f),title:l(`item.${f}`),ask:o})]}),t.scores.map((g,b)=>u("td",{children:h(g,f)},b))]},f)),u("tr",{class:"sum",children:[u("th",{scope:"row",children:l("sheet.round")}),t.scores.map((f,g)=>u("td",{children:D(f.total)},g))]}),u("tr",{class:"sum",children:[u("th",{scope:"row",children:l("sheet.score")}),t.scores.map((f,g)=>u("td",{children:D(f.cumulative)},g))]})]})]})}function Df({table:e,isTitled:t}){let{draw:n,view:s}=e;return u("table",{class:"sheet",children:[u("caption",{class:t?"hidden":void 0,children:re(l("ended.DRAWN"))}),u("thead",{children:u("tr",{children:[u("th",{scope:"col",children:l("draw.seat")}),u("th",{scope:"col",children:l("draw.cards")})]})}),u("tbody",{children:n?.seating.map((o,a)=>u("tr",{children:[u("th",{scope:"row",children:[U(s,a),a===n.dealer&&` · ${l("dealer")}`]}),u("td",{children:n.picks[o]?.cards.map(Ke).join(" ")})]},a))})]})}function Bn(e,t){if(t.winner===void 0)return l("drawn");let n=e.sides.some(s=>s.score!==void 0)?ot(e,t.winner):U(e,t.winner);return t.margin>0?l("won",{name:n,margin:D(t.margin)}):l("won.given",{name:n})}function zi({table:e,rematch:t,home:n,ask:s}){let{sheet:o,end:a,view:r,game:i}=e,[c,d]=_(),[p,m]=_(!1);if(!o||e.counted<At(o).length)return null;let h=a?Bn(r,a):H0(e.view,o),f=t??n;return u(we,{id:"round-over",title:h,kind:`over${a?" won":""}${p?" up":""}`,close:()=>e.dismiss(),isModal:!1,children:[a&&e.meeting&&u($0,{meeting:e.meeting}),u("p",{class:"buttons",children:[a?!e.meeting&&u("button",{type:"button",class:"primary",id:t&&"rematch",onClick:f,children:l(t?"rematch":"newGame")}):u("button",{type:"button",class:"primary",id:"next-round",onClick:()=>e.dismiss(),children:l("nextRound")}),u("button",{type:"button",class:"pull","aria-expanded":p,onClick:()=>m(!p),children:l(p?"sheet.down":"sheet.up")})]}),u("div",{class:"body",children:[u(Un,{table:e,round:o,isTitled:!a,ask:s}),!a&&r.target>0&&o.round>0&&u("p",{class:"note",children:l("target",{points:D(r.target)})}),a&&u("p",{class:"buttons",children:[u("button",{type:"button",onClick:()=>{e.dismiss(),e.open("log")},children:l("log")}),u("button",{type:"button",onClick:()=>{e.dismiss(),e.open("replay")},children:l("replay")}),u("button",{type:"button",id:"share-game",onClick:()=>{i.log().then(d,e.fail)},children:l("share")}),(t??e.meeting)&&u("button",{type:"button",onClick:n,children:l("newGame")})]})]}),c&&u(q0,{id:i.id,log:c,close:()=>d(void 0)})]})}var Tt=({verdict:e})=>e===1||e===2;function Hn({report:e,view:t,outside:n,go:s,reloads:o=!1}){if(!e)return u(T,{children:[u("h2",{children:l("pane.verdict")}),u("p",{role:"status",children:l("audit.asking")})]});let{findings:a,findingsLeftOff:r}=e;return u(T,{children:[u("h2",{children:l("pane.verdict")}),u("p",{class:`summary verdict${Tt(e)?" good":""}`,children:l(`verdict.${St[e.verdict]}`)}),a.length>0&&u("ol",{class:"findings",children:a.map((i,c)=>{let d=l("finding",{record:String(i.record)}),p=i.seat===void 0||!t?"":`${U(t,i.seat)}: `;return u("li",{children:[s?u("button",{type:"button",class:"link",onClick:()=>s(Number(i.record)),children:d}):d," ",p,l(`finding.${Xs[i.kind]}`),". ",u("span",{lang:"en",class:"note",children:[i.detail," ",i.ruleIds.join(" ")]})]},c)})}),r>0n&&u("p",{children:l("findings.more",{count:String(r)})}),u("p",{children:[l("audit.deal"),": ",l(`deal.${bn[e.deal]}`),"."]}),u("p",{class:"note",children:l("verdict.limit")}),n&&u("ul",{class:"outside",children:[n.verified.map(i=>u("li",{class:"good",children:i},i)),n.notProven.map(i=>u("li",{children:[l("outside.not")," ",i]},i))]}),u(Mf,{report:e}),s&&u("p",{class:"buttons",children:[u("button",{type:"button",id:"print",onClick:()=>print(),children:l("print")}),o&&u("label",{children:[l("language")," ",u("select",{id:"language",value:K,onChange:i=>O0(i.currentTarget.value),children:Object.entries(M0).map(([i,c])=>u("option",{value:i,children:c},i))})]})]})]})}function Mf({report:e}){let{game:t,records:n,bytes:s,actions:o,rounds:a,refusals:r,rulings:i,signed:c}=e,d=[[l("audit.records"),l("audit.counts",{records:D(n),bytes:D(s),actions:D(o),rounds:a})]];return d.push([l("audit.head"),P(e.head)]),r+i>0n&&d.push([l("audit.incidents"),l("audit.refused",{refusals:D(r),rulings:D(i)})]),t&&(d.unshift([l("audit.game"),P(t.gameId)],[l("audit.rules"),`${t.ruleSet} ${P(t.ruleSetDigest).slice(0,16)}`]),d.push(...t.players.map(({name:p,publicKey:m},h)=>[Ce(p),l(m.length>0?"audit.signed":"audit.unsigned",{signed:D(c[h]?.signed??0n),actions:D(c[h]?.actions??0n),key:P(m)})])),t.directorKey.length>0&&d.push([l("audit.director"),P(t.directorKey)])),u("details",{class:"expert",children:[u("summary",{children:l("audit.facts")}),u("dl",{children:d.map(([p,m],h)=>[u("dt",{children:p},h),u("dd",{children:m},`${h}.`)])})]})}function Ji({table:e,values:t}){let n=()=>e.open(void 0),o={history:()=>u(Uo,{table:e}),scores:()=>e.rounds.length===0?u("p",{children:l("scores.none")}):[...e.rounds].reverse().map(a=>u(Un,{table:e,round:a},a.round)),room:()=>e.meeting&&u(Xi,{table:e,meeting:e.meeting}),log:()=>u(Cf,{table:e}),moves:()=>u(Of,{table:e,close:n}),values:()=>t,calls:()=>u(li,{})}[e.panel??""];return o?u(we,{id:`panel-${e.panel}`,kind:"panel",title:l(`panel.${e.panel}`),close:n,children:o()},e.panel):null}function Uo({table:e}){let t=ee(null),n=ee(!0),{lines:s}=e,o=Pe(()=>s.map((r,i)=>u("li",{children:[u("span",{class:"n",children:String(r.n)})," ",r.text]},i)),[s,s.length]);Qe(()=>{t.current&&n.current&&(t.current.scrollTop=t.current.scrollHeight)},[s.length]);let a=({currentTarget:{scrollTop:r,clientHeight:i,scrollHeight:c}})=>{n.current=r+i>c-40};return u(T,{children:[u("div",{class:"history",role:"log",tabIndex:0,"aria-label":l("panel.history"),ref:t,onScroll:a,children:u("ol",{children:o})}),u("p",{children:u("button",{type:"button",onClick:()=>e.open("replay"),children:l("replay")})})]})}function Of({table:e,close:t}){let n=e.words,s=o=>{t(),e.act(o)};return e.legal.length===0?u("p",{children:l("nothingToDo")}):u(T,{children:[u("p",{class:"note",children:l("moves.note")}),u("ul",{class:"list",children:e.legal.map((o,a)=>u("li",{children:u("button",{type:"button",onClick:()=>s(o),children:n.action(o)})},a))})]})}function Bo(e,t){let n=URL.createObjectURL(new Blob([t],{type:"application/octet-stream"})),s=document.createElement("a");[s.href,s.download]=[n,e],s.click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}function Cf({table:e}){let{room:t,game:n,end:s}=e,[o,a]=_(),[r,i]=_(""),c=`${n.id}.clog`,d=async()=>{try{Bo(c,await n.log())}catch(m){e.fail(m)}},p=async()=>{try{if(i(l("audit.asking")),n instanceof _e)a(await N0(n.judge,await n.log(),s===void 0));else if(t){let{outcome:m}=await t.verdict();if(m.case!=="verdict")return i(l(s?"audit.waits":"audit.later"));a(m.value.report)}i("")}catch(m){i(""),e.fail(m)}};return u(T,{children:[u("p",{children:l("log.note")}),u("p",{class:"buttons",children:[u("button",{type:"button",id:"download",onClick:()=>{d()},children:l("log.download")}),u("button",{type:"button",id:"audit",onClick:()=>{p()},children:l("log.audit")})]}),u("div",{id:"report",role:"status",children:[r,o&&u(Hn,{report:o,view:e.view})]}),u("p",{class:"note",children:[l("log.own")," ",u("code",{children:["canasta-replay audit ",s?"":"--live ",c]})]})]})}var Zi=[7,10,15,20,26,18,20,24,30,18,20,24,26,30,22,24,28,30,28,28,28,28,30,30,26,28,...Array(14).fill(30)],Qi=[1,1,1,1,1,2,2,2,2,4,4,4,4,4,6,6,6,6,7,8,8,9,9,10,12,12,12,13,14,15,16,17,18,19,19,20,21,22,24,25],Ho=4;function ec(e){if(e===1)return[];let[t,n]=[Math.floor(e/7)+1,4*e+10],s=Math.floor((8*e+3*t+8)/(4*t))*2;return[6,...Array.from({length:t},(o,a)=>n-(t-1-a)*s)]}function tc(e){let t=ec(e).length,n=192+(t>0?25*(t*t-3)-10*(t-2):0)+2*(4*e+1)+31+(e>6?36:0);return(4*e+17)**2-n>>3}function qo(e,t){let n=0;for(let s=7;s>=0;s--)n=n<<1^(n>>7)*285^(t>>s&1)*e;return n}function Lf(e,t){let n=[...Array(t-1).fill(0),1];for(let[s,o]=[0,1];s<t;s++,o=qo(o,2))n.forEach((a,r)=>n[r]=qo(a,o)^(n[r+1]??0));return e.reduce((s,o)=>{let a=o^s[0];return n.map((r,i)=>(s[i+1]??0)^qo(r,a))},Array(t).fill(0))}function Gf(e,t){let[n,s,o]=[Zi[e-1],Qi[e-1],tc(e)],r=(`${[..."0100",...t.length.toString(2).padStart(e<10?8:16,"0"),...[...t].flatMap(m=>[...m.toString(2).padStart(8,"0")])].join("")}0000`.match(/.{1,8}/g)??[]).map(m=>parseInt(m.padEnd(8,"0"),2)).slice(0,o-n*s);for(let m=236;r.length<o-n*s;m^=253)r.push(m);let[i,c]=[Math.floor(o/s)-n,m=>m>=s-o%s],d=Array.from({length:s},(m,h)=>r.splice(0,i+Number(c(h)))),p=m=>Array.from({length:i+n+1},(h,f)=>m.flatMap(g=>g[f]??[])).flat();return[...p(d),...p(d.map(m=>Lf(m,n)))]}function Yi(e,t,n){let s=e;for(let o=0;o<n;o++)s=s<<1^(s>>n-1)*t;return e<<n|s}function nc(e){let t=new TextEncoder().encode(e),n=b=>tc(b)-Zi[b-1]*Qi[b-1]-(b<10?2:3),s=1;for(;s<40&&n(s)<t.length;)s++;let o=4*s+17,a=Array.from({length:o},()=>Array(o).fill(void 0)),r=(b,y,v)=>{a[y]&&b>=0&&b<o&&(a[y][b]=v)},i=(b,y,v,k)=>{for(let A=-v;A<=v;A++)for(let N=-v;N<=v;N++)r(b+N,y+A,k(Math.max(Math.abs(N),Math.abs(A))))};for(let b=0;b<o;b++)r(6,b,b%2===0),r(b,6,b%2===0);let c=ec(s);for(let b of c)for(let y of c)[[6,6],[6,o-7],[o-7,6]].some(([v,k])=>v===b&&k===y)||i(b,y,2,v=>v!==1);for(let[b,y]of[[3,3],[o-4,3],[3,o-4]])i(b,y,4,v=>v!==2&&v!==4);let[d,p]=[Yi(8,1335,10)^21522,Yi(s,7973,12)];for(let b=0;b<15;b++){let y=(d>>b&1)===1;r(8,b<6?b:b<8?b+1:o-15+b,y),r(b<8?o-1-b:b<9?7:14-b,8,y)}r(8,o-8,!0);for(let b=0;s>6&&b<18;b++){let[y,v,k]=[o-11+b%3,Math.floor(b/3),(p>>b&1)===1];r(y,v,k),r(v,y,k)}let m=Gf(s,t),h=0;for(let b=o-1;b>0;b-=b===8?3:2){let y=(b+1&2)===0;for(let v=0;v<o;v++)for(let k of[b,b-1]){let A=y?o-1-v:v;a[A]?.[k]===void 0&&(r(k,A,((m[h>>3]??0)>>7-(h&7)&1)===1!=((k+A)%2===0)),h+=1)}}let f=Array(Ho).fill(!1),g=Array.from({length:Ho},()=>Array(o+2*Ho).fill(!1));return[...g,...a.map(b=>[...f,...b.map(y=>y===!0),...f]),...g]}var sc=2e3,oc=()=>location.protocol==="file:"?void 0:location.origin+location.pathname;function q0({id:e,log:t,packed:n,at:s,close:o}){let[a,r]=_(),[i,c]=_(""),d=ee(null);C(()=>{let g=oc()??location.href.replace(/#.*$/,"");(n===void 0?Mi(t):Promise.resolve(n)).then(b=>r(`${g}#g=${b}${s===void 0?"":`&at=${s}`}`),()=>r(""))},[t,s]);let p=new File([t],`${e.replace(/[^\w.-]+/g,"-").replace(/\.clog$/,"")}.clog`,{type:"application/octet-stream"}),m=async()=>c(await $o(a??"",d.current)),h=g=>navigator.share(g).catch(()=>{}),f=a!==void 0&&a!==""&&a.length<=sc;return u(we,{id:"share",title:l("share"),close:o,children:[a===void 0&&u("p",{role:"status",children:l("loading")}),f&&u(T,{children:[u("p",{children:[l("share.note"),a.includes("&p=")&&` ${l("share.proof")}`]}),oc()===void 0&&u("p",{class:"note",children:l("share.file")}),u("p",{children:u("input",{ref:d,id:"share-link",readOnly:!0,value:a,"aria-label":l("share.link"),onFocus:g=>g.currentTarget.select()})}),u(Wo,{text:a})]}),a!==void 0&&!f&&u("p",{children:l("share.long",{length:D(a.length),most:D(sc)})}),u("p",{class:"buttons",children:[f&&u("button",{type:"button",class:"primary",id:"share-copy",onClick:()=>{m()},children:l("share.copy")}),f&&"share"in navigator&&u("button",{type:"button",onClick:()=>{h({url:a,title:document.title})},children:l("share.pass")}),!f&&"canShare"in navigator&&navigator.canShare({files:[p]})&&u("button",{type:"button",onClick:()=>{h({files:[p]})},children:l("share.pass")}),u("button",{type:"button",id:"share-save",onClick:()=>Bo(p.name,t),children:l("share.save")})]}),u("p",{role:"status",children:i})]})}async function $o(e,t){try{return await navigator.clipboard.writeText(e),l("share.copied")}catch{return t?.select(),l(document.execCommand("copy")?"share.copied":"share.select")}}function Wo({text:e}){let t=nc(e),n=t.flatMap((s,o)=>s.flatMap((a,r)=>a?[`M${r} ${o}h1v1h-1z`]:[]));return u("svg",{class:"qr",viewBox:`0 0 ${t.length} ${t.length}`,role:"img","aria-label":l("share.code"),shapeRendering:"crispEdges",children:[u("rect",{width:t.length,height:t.length,fill:"#fff"}),u("path",{d:n.join(""),fill:"#000"})]})}function rc({meeting:e,transport:t,listed:n,rulesOf:s,home:o}){let[a,r]=_(!1);C(()=>document.querySelector("#room h1")?.focus(),[]);let{summary:i,room:c,chair:d}=e,p=Vo(e);return u("main",{id:"room",class:"page",children:[u("header",{children:[u("h1",{tabIndex:-1,children:i?.title??"Canasta"}),u(Pf,{meeting:e})]}),u("div",{class:"columns",children:[u("section",{"aria-labelledby":"room-chairs",children:[u("h2",{id:"room-chairs",children:l("room.chairs")}),u(Fo,{meeting:e}),u("p",{class:"buttons",children:[p&&u("button",{type:"button",class:"primary",onClick:()=>e.go(!0),children:l("room.toGame")}),d!==void 0&&!p&&u("button",{type:"button",id:"turn-seats",onClick:()=>e.turn(),children:l("room.turn")}),e.isHost&&!p&&u("button",{type:"button",id:"other-rules",onClick:()=>r(!0),children:l("room.rules")}),c.games.length>(e.isPlaying?1:0)&&!p&&u("button",{type:"button",onClick:()=>e.go(!0),children:l("room.lastGame")}),u("button",{type:"button",onClick:o,children:l("newGame")})]})]}),u("div",{children:[u(jo,{meeting:e}),u(zo,{games:c.games})]})]}),a&&u(Bf,{meeting:e,transport:t,listed:n,rulesOf:s,close:()=>r(!1)})]})}function Pf({meeting:{room:{rules:e,chairs:t},summary:n}}){let{houseRules:s,clock:o}=e??{},{rounds:a,...r}=s?.knobs??{},i=(s?.variations.length??0)+Object.keys(r).length,c=Number(a??n?.rounds),d=[l("players",{players:t.length}),...n?[c>0?l("rounds",{rounds:c}):l("target",{points:D(n.target)})]:[],...i>0?[l("room.house",{rules:i})]:[],...o?.turnMs?[l("clock.turn",{seconds:Number(o.turnMs)/1e3})]:[],...o?.bankMs?[l("clock.bank",{minutes:Number(o.bankMs)/6e4,seconds:Number(o.incrementMs??0n)/1e3})]:[]];return u("p",{class:"note",children:d.join(" · ")})}var Vo=({isPlaying:e,isApart:t})=>e&&t;function Fo({meeting:e}){let{room:t,summary:n,chair:s,chairs:o}=e,[a,r]=_(ie("name")??""),[i,c]=_(),d=g=>{g.preventDefault();let b=g.submitter?.value??`${o.find(y=>t.chairs[y]?.name==="")}`;e.sitDown(Number(b),a.trim())},p=n?.sides??o.length,m=g=>o.filter((b,y)=>y!==g&&y%p===g%p).map(b=>e.nameOf(b)),h=(g,b,y)=>u("button",{type:"button","aria-label":`${g}: ${b}`,onClick:y,children:g}),f=s===void 0?void 0:t.chairs[s];return u("form",{class:"chairs",onSubmit:d,children:[u("p",{role:"status",id:"room-status",children:[e.said,Ko(e)].filter(Boolean).join(" ")}),u("div",{class:"own",children:[s===void 0&&t.chairs.some(g=>g.name==="")&&u("label",{children:[l("room.name"),u("input",{id:"own-name",required:!0,pattern:".*\\S.*",maxLength:32,autocomplete:"nickname",value:a,onInput:g=>r(g.currentTarget.value)})]}),f&&s!==void 0&&u("p",{class:"buttons",children:[!Vo(e)&&u("button",{type:"button",id:"ready",class:"primary on-off",disabled:e.isPlaying,"aria-pressed":f.ready,onClick:()=>{e.change({case:"ready",value:!f.ready})},children:l(t.games.length>(e.isPlaying?1:0)?"room.again":"room.isReady")}),f.bot?u("button",{type:"button",id:"come-back",class:"primary",onClick:()=>{e.bot(s,!1)},children:l("room.back")}):u("button",{type:"button",id:"own-bot",onClick:()=>{e.bot(s,!0)},children:l("room.ownBot")}),u("button",{type:"button",id:"stand-up",onClick:()=>e.isPlaying&&i!==s?c(s):void e.change({case:"standUp",value:s}),children:l(i===s?"room.remove.sure":"room.standUp")})]})]}),u("ol",{children:o.map((g,b)=>{let{name:y="",bot:v=!1,ready:k=!1}=t.chairs[g]??{},A=e.isGone(g),N=e.left.get(g),w=e.nameOf(g),j=[m(b).length>0&&(v||y!=="")?l("room.with",{names:m(b).join(", ")}):"",g===s?l("me"):"",g===t.host?l("room.host"):"",A?N===void 0?l("room.away"):l("room.awaySince",{time:Uf(N)}):"",v&&y!==""?l("room.held"):""];return u("li",{class:`chair side${b%p}${A?" away":""}`,"data-chair":g,children:[u("span",{class:"who",children:[u("b",{children:u("bdi",{children:re(w)})}),k&&u("span",{class:"tag",children:["✓ ",l("room.ready")]})]}),u("span",{class:"note",children:j.filter(Boolean).join(" · ")}),u("span",{class:"buttons",children:[y===""&&s===void 0&&u("button",{class:"primary",value:g,"aria-label":`${l("room.sit")}: ${D(b+1)}, ${w}`,children:l("room.sit")}),y===""&&s!==void 0&&!v&&h(l("room.bot"),D(b+1),()=>{e.bot(g,!0)}),y===""&&s!==void 0&&v&&!Vo(e)&&h(l("room.noBot"),D(b+1),()=>{e.bot(g,!1)}),A&&s!==void 0&&!v&&h(l("room.hold"),w,()=>{e.bot(g,!0)}),y!==""&&g!==s&&e.isHost&&(i===g?h(l("room.remove.sure"),w,()=>{c(void 0),e.change({case:"standUp",value:g})}):h(l("room.remove"),w,()=>c(g)))]})]},g)})})]})}var Uf=e=>new Date(e).toLocaleTimeString(document.documentElement.lang,{hour:"2-digit",minute:"2-digit"});function Ko(e){if(e.isPlaying)return l("room.playing");let t=e.chairs.filter(a=>{let{bot:r,ready:i}=e.room.chairs[a]??{};return!r&&!i}),n=t.filter(a=>e.room.chairs[a]?.name!==""),s=n.filter(a=>a!==e.chair).map(a=>e.nameOf(a)),o=t.length-n.length;return[n.some(a=>a===e.chair)?l("room.waits.you"):"",s.length>0?l("room.waits",{names:s.join(", ")}):"",o>0?l("room.waits.free",{chairs:o}):e.chair===void 0?`${l("watching")}.`:""].filter(Boolean).join(" ")}function jo({meeting:e}){let{code:t,ownCode:n}=e.room;return u("section",{class:"share","aria-labelledby":"room-link",children:[u("h2",{id:"room-link",children:l("room.link")}),u("p",{class:"note",children:l("room.link.note")}),u(ac,{id:"guests-link",url:On(t),label:l("room.link")}),e.isHost&&u("p",{class:"buttons",children:u("button",{type:"button",id:"new-code",onClick:()=>{e.change({case:"newCode",value:{}})},children:l("room.newCode")})}),n!==""&&u("details",{id:"own-device",children:[u("summary",{children:l("room.device")}),u("p",{class:"note",children:l("room.device.note")}),u(ac,{id:"own-link",url:On(n),label:l("room.device")})]})]})}function ac({id:e,url:t,label:n}){let[s,o]=_(""),a=ee(null),r=async()=>o(await $o(t,a.current));return u(T,{children:[u("input",{ref:a,id:e,readOnly:!0,value:t,"aria-label":n,onFocus:i=>i.currentTarget.select()}),u("p",{class:"buttons",children:[u("button",{type:"button",class:"primary",onClick:()=>{r()},children:l("share.copy")}),"share"in navigator&&u("button",{type:"button",onClick:()=>{navigator.share({url:t,title:document.title}).catch(()=>{})},children:l("share.pass")})]}),u("details",{children:[u("summary",{children:l("share.code")}),u(Wo,{text:t})]}),u("p",{role:"status",children:s})]})}function zo({games:e}){let t=new Map;for(let{players:s,end:o}of e)for(let[a,r]of s.entries()){let i=a%(o?.totals.length||s.length),c=t.get(r)??{games:0,wins:0,points:0};o&&t.set(r,{games:c.games+1,wins:c.wins+(o.winner===i?1:0),points:c.points+(o.totals[i]??0)})}if(t.size===0)return null;let n=[...t].sort(([,s],[,o])=>o.wins-s.wins||o.points-s.points);return u("section",{class:"evening","aria-labelledby":"evening",children:[u("h2",{id:"evening",children:l("room.evening")}),u("table",{class:"sheet",children:[u("thead",{children:u("tr",{children:[u("th",{scope:"col",children:l("room.player")}),u("th",{scope:"col",children:l("room.games")}),u("th",{scope:"col",children:l("room.wins")}),u("th",{scope:"col",children:l("room.points")})]})}),u("tbody",{children:n.map(([s,o])=>u("tr",{children:[u("th",{scope:"row",children:u("bdi",{children:Ce(s)})}),u("td",{children:D(o.games)}),u("td",{children:D(o.wins)}),u("td",{children:D(o.points)})]},s))})]})]})}function Bf({meeting:e,transport:t,listed:n,rulesOf:s,close:o}){let[a,r]=_([]),[i,c]=_(e.room.rules?.ruleSet??"");C(()=>{n().then(m=>r(m.filter(h=>h.seats===e.room.chairs.length)))},[]);let d=a.find(m=>m.id===i)??a[0],p=m=>e.change({case:"rules",value:s(m)}).then(o);return u(we,{id:"rules-of-room",title:l("room.rules"),close:o,children:d&&u(T,{children:[u("label",{children:[l("room.set")," ",u("select",{id:"room-set",value:d.id,onChange:m=>c(m.currentTarget.value),children:a.map(m=>u("option",{value:m.id,children:m.title},m.id))})]}),u(Ro,{client:G(te,t),summary:d,hasRooms:!0,isOfRoom:!0,begin:p,back:o},d.id)]})})}function Xi({table:e,meeting:t}){return u(T,{children:[u(Fo,{meeting:t}),e.me!==void 0&&!e.end&&u(Hf,{table:e}),u("p",{class:"buttons",children:u("button",{type:"button",id:"to-room",onClick:()=>{e.open(void 0),t.go(!1)},children:l("room.toRoom")})}),u(jo,{meeting:t}),u(zo,{games:t.room.games})]})}function Hf({table:e}){let[t,n]=_(),s=async a=>{n(void 0),e.open(void 0),await e.room?.endGame(a).then(({outcome:r})=>{r.case==="rejected"&&(e.refusal=r.value.violations)},e.fail)},o=t===1;return t!==void 0?u("div",{class:"sure",role:"group","aria-label":l(o?"room.stop":"room.resign"),children:[u("p",{role:"alert",children:l(o?"room.stop.sure":"room.resign.sure")}),u("p",{class:"buttons",children:[u("button",{type:"button",id:"end-yes",class:"primary",onClick:()=>{s(t)},children:l(o?"room.stop":"room.resign")}),u("button",{type:"button",onClick:()=>n(void 0),children:l("back")})]})]}):u("p",{class:"buttons",children:[u("button",{type:"button",id:"offer-stop",onClick:()=>n(1),children:l("room.stop")}),u("button",{type:"button",id:"resign",onClick:()=>n(2),children:l("room.resign")})]})}function $0({meeting:e}){let t=e.chair===void 0?void 0:e.room.chairs[e.chair];return u("div",{class:"again",children:[u("p",{role:"status",children:Ko(e)}),u("p",{class:"buttons",children:[t&&u("button",{type:"button",class:"primary on-off","data-act":"again","aria-pressed":t.ready,onClick:()=>{e.change({case:"ready",value:!t.ready})},children:l("room.again")}),u("button",{type:"button","data-act":"to-room",onClick:()=>e.go(!1),children:l("room.toRoom")})]})]})}async function uc(e,t){let{offer:n,endOffer:s,room:o}=e;try{t&&s?await o?.endGame(s.way):t&&n?await e.takeBack(n.toSeq):([e.offer,e.endOffer]=[void 0,void 0],await o?.declineOffer())}catch(a){e.fail(a)}}function ic({table:e}){let{offer:t,endOffer:n,me:s,meeting:o,view:a}=e,r=t?.by??n?.by,i=r===void 0?"":U(a,r),c=s!==void 0&&r!==s&&(n?n.waitsFor.includes(s):t?.waitsFor.includes(e.side??-1)===!0),d=t?l("takeBack.offer",{name:i}):n?.way===2?l("room.resign.offer",{name:i}):l("room.stop.offer",{name:i}),p=a.toAct!==void 0&&s!==void 0&&!e.end&&o?.isAway(a.toAct)===!0?a.toAct:void 0;return u("div",{role:"status",class:"offers",children:[r!==void 0&&u("div",{class:"message",children:[u("p",{children:r===s?l("offer.own"):d}),t&&c&&e.offered.length>0&&u("ul",{children:e.offered.map((m,h)=>u("li",{children:m},h))}),c&&u("button",{type:"button",class:"primary","data-act":"agree",onClick:()=>{uc(e,!0)},children:l("takeBack.agree")}),(c||r===s)&&u("button",{type:"button","data-act":"decline",onClick:()=>{uc(e,!1)},children:l(r===s?"offer.withdraw":"offer.decline")})]}),p!==void 0&&o&&u("div",{class:"message",children:[u("p",{children:l("room.absent",{name:U(a,p)})}),u("button",{type:"button",class:"primary","data-act":"hold",onClick:()=>{o.bot(o.chairOf(p),!0)},children:l("room.hold")})]})]})}function cc({table:e}){let t=Wf(e);return u("footer",{id:"bar",children:[u("p",{id:"turn",children:[u("span",{role:"status",children:u("span",{children:t},t)}),u($f,{table:e})]}),u("div",{id:"actions",role:"group","aria-label":l("actions"),"aria-busy":e.isChanging,children:[u("span",{class:"does",children:e.sheet?null:u(Vf,{table:e})}),e.me!==void 0&&u(Ff,{table:e})]})]})}var qf=3;function dc({table:{happened:e,why:t}}){let n=t?[t]:e.slice(-2);return u("p",{id:"happened",role:"status",children:u("span",{children:n.map((s,o)=>u("span",{children:s},o))},n.join())})}function $f({table:e}){let t=e.isMine||e.end||e.sheet?void 0:e.view.toAct,[,n]=_(0);C(()=>{if(t===void 0)return;let o=setInterval(()=>n(a=>a+1),1e3);return()=>clearInterval(o)},[t]);let s=Math.floor((performance.now()-e.thinksSince)/1e3);return t===void 0||s<qf?null:u("span",{id:"thinks",role:"timer",children:[" · ",l("thinks",{seconds:s})]})}function Wf(e){let{view:t,isMine:n}=e;return e.end?l("gameOver"):e.sheet?re(e.sheet.round===0?l("ended.DRAWN"):l("roundOver",{round:e.sheet.round})):n?e.isBusy?l("sending"):t.toAct!==e.me?l("turn.out"):l(`turn.${Et[t.phase]}`):t.toAct===void 0?l("turn.table"):l("turn.other",{name:U(t,t.toAct)})}function Nt({kind:e,at:t,click:n,children:s}){return u("button",{type:"button",class:e,"data-act":t,onClick:n,children:s})}function Vf({table:e}){let{isMine:t,picked:n,chosen:s,legal:o,hinted:a}=e;if(e.end&&e.meeting)return u($0,{meeting:e.meeting});if(e.me===void 0)return u("span",{class:"note",children:l("watching")});if(e.isAway)return u(Nt,{at:"back",kind:"primary",click:()=>{e.setBot(e.me,!1)},children:l("bot.back")});let r=d=>!["drawStock","takePile","meld","discard"].includes(d.kind.case??""),i=e.options.filter(d=>fe(d)!=="illegal"&&(n.size>0||fe(d)==="legal")),c=e.words;return u(T,{children:[a&&u(Nt,{at:"hinted",kind:"primary",click:()=>{e.act(a)},children:c.action(a)}),t&&!a&&o.some(d=>d.kind.case==="drawStock")&&u(Nt,{at:"draw",kind:"primary",click:()=>{e.act({kind:{case:"drawStock",value:{}}})},children:l("draw")}),!a&&i.map(d=>u(Nt,{at:fe(d),kind:fe(d)==="legal"?"primary":"aside",click:()=>{e.choose(d)},children:jf(e,d)},`${d.destination}.${d.meld}`)),!a&&i.filter(d=>fe(d)==="legal"&&Kf(d)).slice(0,1).map(d=>u(Nt,{at:"more",click:()=>{e.choose(d,!0)},children:l("andMore")},"more")),t&&!a&&o.filter(r).map((d,p)=>u(Nt,{at:d.kind.case??"",kind:"other",click:()=>{e.act(d)},children:c.action(d)},`other${p}`)),(n.size>0||s||a)&&u(Nt,{at:"clear",click:()=>e.clear(),children:[u("span",{class:"long",children:l("clear")}),u("span",{class:"short","aria-hidden":"true",children:"✕"})]})]})}function Ff({table:e}){let t=e.isMine&&!e.isAway;return u("span",{class:"tools",children:[u("button",{type:"button","data-act":e.mayTakeBack?"undo":void 0,disabled:!e.mayTakeBack,onClick:()=>{e.takeBack()},children:[u("span",{class:"long",children:l("undo")}),u("span",{class:"short","aria-hidden":"true",children:"↶"})]}),u("button",{type:"button","data-act":t?"hint":void 0,disabled:!t,onClick:()=>{e.hint()},children:l("hint")})]})}var Kf=e=>e.destination>=2&&e.destination<=5;function jf(e,t){let{initial:n,action:s}=t,o=n?` (${l("minimum",{found:n.found,required:n.required})})`:"",a=e.hand.filter((r,i)=>e.picked.has(i)).map(Ke).join(" ");if(fe(t)==="short")return l("aside",{cards:a||"…"})+o;if(t.destination===1||t.destination===6&&t.meld!==void 0){let r=e.view.sides.find(c=>c.side===e.side)?.melds.find(c=>c.id===t.meld),i=r?rt(r):"";return t.destination===1?l("onto",{cards:a,meld:i}):l("take.onto",{meld:i})}return re(s?e.words.action(s):"")+o}function lc({table:e,ask:t}){let{refusal:n,notice:s}=e,o=e.words;return u("div",{id:"messages",children:[u(ic,{table:e}),u("div",{role:"alert",id:"refusal",children:n.length>0&&u("div",{class:"message refusal",children:[n.map((a,r)=>u("p",{children:[u("strong",{children:r===0?l("refused"):l("also")})," ",o.violation(a),".",a.repair&&u(T,{children:[" ",l("instead")," ",o.repair(a.repair),"."]})," ",u("button",{type:"button",class:"link","data-rules":a.ruleIds.join(" "),onClick:()=>t(a.ruleIds,o.violation(a)),children:l("meaning")})]},a.code)),u("button",{type:"button",class:"close","aria-label":l("close"),onClick:()=>e.clear(),children:"×"})]})}),u("div",{role:"status",id:"notice",children:s!==""&&u("div",{class:"message",children:u("p",{children:s})})})]})}var zf={1:["top"],2:["left","right"],3:["left","top","right"],4:["left","top","top","right"],5:["left","left","top","right","right"]},Jo=[...[100,90,81,73,66,60,54,48].map(e=>[e,!1]),...[66,60,54,48,42,37,33,29,25,22,19,17].map(e=>[e,!0])];function W0({table:e,isPart:t=!1}){let{view:n,me:s,side:o}=e,a=s??e.bottom??Math.floor(n.seats.length/2),r=t?"div":"main",i=n.seats.map((f,g)=>n.seats[(a+1+g)%n.seats.length]).slice(0,-1),c=zf[i.length]??[],d=n.seats[a],p=o??d.side,m=ee(null);C(()=>{let f=new ResizeObserver(()=>m.current?.scrollTo(0,m.current.scrollHeight));return m.current&&!e.isReplay&&f.observe(m.current),()=>f.disconnect()},[]);let h=n.sides.filter(({side:f,melds:g})=>f!==p&&(g.length>0||n.seats.some(b=>b.side===f)));return u(r,{id:"felt",ref:m,tabIndex:s===void 0&&!t?0:void 0,class:`of${n.seats.length}${e.isReplay?" looked":""}`,children:[["left","top","right"].map(f=>u("ul",{class:`seats ${f}`,"aria-label":l(`seats.${f}`),children:i.map((g,b)=>c[b]===f&&u(fc,{table:e,seat:g},g.seat))},f)),u("div",{class:"zones others",children:h.map(f=>u(mc,{table:e,side:f},f.side))}),u(em,{table:e}),u("div",{class:"zones own",children:n.sides.filter(f=>f.side===p).map(f=>u(mc,{table:e,side:f,isOwn:!0},f.side))}),s===void 0&&u("ul",{class:"seats bottom",children:u(fc,{table:e,seat:d})})]})}function bc(e,t){if(!t)return e.map(()=>!1);let n=[...t];return e.map(s=>{let o=n.indexOf(s);return o>=0&&n.splice(o,1),o<0})}function pc({cards:e,before:t,kind:n="",label:s}){let o=bc(e,t),a=o.includes(!1);return u("span",{class:"hold",children:u("span",{class:`mini ${n}`,role:"img","aria-label":s,"data-cards":e.join(" "),style:{"--n":Math.max(e.length,2)},children:e.map((r,i)=>u(me,{card:r,kind:a&&o[i]?"new":""},i))})})}function fc({table:e,seat:t}){let{view:n,side:s}=e,o=n.toAct===t.seat,a=e.meeting?.isAway(t.seat)===!0,r=s===void 0?"":l(t.side===s?"partner":"opponent"),i=ee(!1);i.current||=t.footSize>0;let c=[["cards",`${t.handSize}`,l("cards",{cards:t.handSize})]];return i.current&&c.push(["foot",t.footSize>0?`${t.footSize}`:"",t.footSize>0?l("foot",{cards:t.footSize}):""]),t.score!==void 0&&c.push(["points",D(t.score),l("points",{points:D(t.score)})]),u("li",{class:`seat side${t.side}${o?" acts":""}${a?" away":""}`,"data-at":`seat${t.seat}`,"data-size":t.handSize,"aria-current":o?"true":void 0,children:[u("span",{class:"who",children:[u("b",{title:U(n,t.seat),children:u("bdi",{children:U(n,t.seat)})}),n.dealer===t.seat&&u("abbr",{class:"dealer",title:l("dealer"),children:l("dealer.short")})]}),u("span",{class:"about",children:[u("span",{children:r})," ",e.botSeats.includes(t.seat)&&u("span",{class:"bot",children:l("bot")}),a&&u("span",{class:"bot",children:l("room.away")})," ",u(vc,{table:e,seat:t.seat})]}),t.hand.length>0?u(pc,{cards:Fe(t.hand),before:e.before?.seats[t.seat]?.hand,label:l("holds",{name:U(n,t.seat),cards:Fe(t.hand).map(at).join(", ")})}):u("span",{class:"backs","aria-hidden":"true",children:Array.from({length:Math.min(t.handSize,9)},(d,p)=>u(me,{card:"back"},p))}),u("span",{class:"count",children:c.map(([d,p,m])=>u("span",{class:`fact ${d}`,"data-short":p,title:m,children:u("span",{children:m})},d))}),u(yc,{seat:t}),t.foot.length>0&&u(pc,{cards:Fe(t.foot),kind:"foot",label:`${l("foot",{cards:t.footSize})}: ${Fe(t.foot).map(at).join(", ")}`})]})}function yc({seat:e}){return e.laid.length===0?null:u("span",{class:"mini threes","data-at":`threes${e.seat}`,role:"img","aria-label":l("threes",{cards:e.laid.map(at).join(", ")}),children:e.laid.map((t,n)=>u(me,{card:t},n))})}function vc({table:e,seat:t}){let{clock:n,clockAt:s}=e,[,o]=_(0),a=n?.running===t;if(C(()=>{if(!a)return;let m=setInterval(()=>o(h=>h+1),500);return()=>clearInterval(m)},[a]),!n)return null;let r=n.seats[t]?.bankLeftMs,i=a?performance.now()-s:0,c=[a?n.turnLeftMs:void 0,r].filter(m=>m!==void 0).map(m=>Math.max(0,Number(m)-i));if(c.length===0)return null;let d=Math.ceil(Math.min(...c)/1e3),p=`${Math.floor(d/60)}:${String(d%60).padStart(2,"0")}`;return u("span",{class:`clock${a?" runs":""}${d<=10&&a?" short":""}`,role:"timer","aria-label":l("clock",{time:p}),children:p})}function mc({table:e,side:t,isOwn:n=!1}){let{view:s,me:o}=e,a=s.seats[o??-1],r=t.score??(n?a?.score:void 0),i=t.minimum??(n?a?.minimum:void 0),c=ee(null),d=n?Zf(e):void 0,p=[...t.melds.map(m=>m.cards.length),d?.groups.map(m=>m.cards.length),d?.options.map(Xo)].join();return Qe(()=>gc(c.current),[p]),C(()=>{let m=new ResizeObserver(()=>gc(c.current));return c.current&&m.observe(c.current),()=>m.disconnect()},[]),u("section",{class:`zone side${t.side}${n?" own":""}`,"aria-label":l("melds.of",{side:ot(s,t.side)}),children:[u("h2",{children:[u("span",{class:"names",children:u("bdi",{children:ot(s,t.side)})}),r!==void 0&&u("b",{class:"score",children:D(r)}),u(Gi,{table:e,side:t.side}),u(fi,{view:s,side:t,seat:n?o:void 0}),!t.opened&&i!==void 0&&s.round>0&&u("span",{class:"tag",children:l("needs",{points:i})}),n&&a&&a.footSize>0&&u("span",{class:"tag",children:l("foot",{cards:a.footSize})}),n&&a&&u(yc,{seat:a}),n&&o!==void 0&&u(vc,{table:e,seat:o})]}),u("ul",{class:"melds",ref:c,children:[t.melds.map(m=>u(Jf,{table:e,side:t.side,meld:m,isOwn:n&&o!==void 0},m.id)),d&&u(Qf,{table:e,...d})]})]})}function gc(e){if(!e)return;let t=o=>{let[a,r]=Jo[o];return e.style.setProperty("--fit",`${a}px`),e.toggleAttribute("data-tight",r),e.scrollHeight<=e.clientHeight},n=Math.max(0,Jo.findIndex(([o])=>o*1.42+10<e.clientHeight)),s=Math.max(n,Number(e.dataset.fit??0));if(t(s))for(;s>n&&t(s-1);)s-=1;else for(;s<Jo.length-1&&!t(s);)s+=1;e.dataset.fit=`${s}`,t(s)?e.removeAttribute("tabindex"):e.setAttribute("tabindex","0")}function Yo({table:e,option:t,label:n,at:s,kind:o,children:a}){if(!t)return u("div",{class:o,"data-at":s,role:"group","aria-label":n,children:a});let r=fe(t);return u("button",{type:"button",class:`${o} target ${r}`,"data-at":s,"data-target":r,"aria-label":`${n}: ${l(`target.${r}`)}`,onClick:()=>{e.choose(t)},children:a})}function Jf({table:e,side:t,meld:n,isOwn:s}){let o=s&&e.picked.size>0?e.option(1,n.id):void 0,a=n.grade!==0,r=re(rt(n)),i=a?`${n.cards.length} ${hc(n.grade)}, ${r}, ${ri(n.grade)}`:`${r}, ${l("cards",{cards:n.cards.length})}`,c=ro(n.cards),{isReplay:d,before:p}=e,m=p&&(p.sides.find(f=>f.side===t)?.melds.find(f=>f.id===n.id)?.cards??[]),h=bc(c,m);return u("li",{"data-meld":`${t}.${n.id}`,"data-cards":c.join(" "),children:u(Yo,{table:e,option:o,label:i,at:`meld${t}.${n.id}`,kind:`meld grade${n.grade}${a?" canasta":""}${n.kind===3?" run":""}`,children:[u("span",{class:"fan",children:(a&&!d?[Xf(n.grade,c)]:c).map((f,g)=>u(me,{card:f,kind:h[g]?"new":""},g))}),u("span",{class:"size","aria-hidden":"true",children:n.cards.length})," ",a&&u("span",{class:"grade","aria-hidden":"true",children:hc(n.grade)}),d&&u("span",{class:"id","aria-hidden":"true",children:n.id}),d&&n.loose.length>0&&u("span",{class:"loose",children:l("loose")})]})})}function Xf(e,t){let n=e===1?"hd":e===2?"sc":"";return t.find(s=>!kt(s)&&n.includes(s.charAt(1)))??t[0]}var hc=e=>l(`grade.short.${pn[e]}`),Yf=e=>l(`new.${gn[e.destination]}`),Xo=({initial:e,...t})=>e&&fe(t)!=="illegal"?l("minimum",{found:e.found,required:e.required}):l(`new.${gn[t.destination]}`);function Zf(e){let t=e.chosen?Oo(e.chosen):[],n=e.picked.size>0?qi.map(o=>e.option(o)).filter(o=>o!==void 0):[],s=n.filter(o=>fe(o)!=="illegal");return{groups:t,options:s.length>0?s:n.slice(0,1)}}function Qf({table:e,groups:t,options:n}){return u(T,{children:[t.map((s,o)=>u("li",{class:"staged",role:"img","aria-label":l("staged",{cards:s.cards.map(at).join(", ")}),children:u("span",{class:"fan",children:ro(s.cards).map((a,r)=>u(me,{card:a},r))})},`staged${o}`)),n.map(s=>u("li",{children:u(Yo,{table:e,option:s,label:[...new Set([Yf(s),Xo(s)])].join(", "),kind:"slot",children:u("span",{class:"caption",children:Xo(s)})})},`new${s.destination}`))]})}function em({table:e}){let{view:t,side:n}=e,s=[...new Set([...t.pile?.frozen??[],...t.sides.find(c=>c.side===n)?.frozen??[]])],o=t.pile?.top??"",a=t.pile?.size??0,r=e.isMine?e.option(7)??e.option(6):void 0,i=o===""?l("pile.empty"):l("pile",{card:at(o),cards:a});return u("div",{class:"centre",role:"group","aria-label":l("centre"),children:[u("figure",{children:[u(tm,{table:e}),u("figcaption",{children:[l("stock.caption")," ",u("b",{children:t.stock})]})]}),u("figure",{class:s.length>0?"frozen":"","data-top":o,children:[u(Yo,{table:e,option:r,label:i,at:"pile",kind:"stack pile",children:o===""?u("span",{class:"empty"}):u(T,{children:[u(Ec,{size:a}),u(me,{card:o,kind:e.before&&e.before.pile?.size!==a?"new":""})]})}),u("figcaption",{children:[l("pile.caption")," ",u("b",{children:a})]})]}),t.takenTop!==""&&u("figure",{children:[u("div",{class:"stack taken",children:u(me,{card:t.takenTop})}),u("figcaption",{children:l("taken")})]}),u("p",{class:"facts",children:[u("span",{children:t.round>0?l("round",{round:t.round}):l("drawing")}),s.length>0&&o!==""&&u("span",{class:"tag ice",children:l("frozen",{why:s.map(c=>l(`frozen.${Ks[c]}`)).join(", ")})}),t.talons.filter(c=>c.size>0).map((c,d)=>u("span",{class:"tag",children:c.seat===void 0?l("talon",{cards:c.size}):l("talon.of",{name:U(t,c.seat),cards:c.size})},d))]})]})}var Ec=({size:e})=>u(T,{children:e>1&&u(me,{card:"back",kind:"under"})});function tm({table:e}){let{view:t}=e,n=e.legal.some(r=>r.kind.case==="drawStock"),s=l("stock",{cards:t.stock}),o=t.stock>0?u(T,{children:[u(Ec,{size:t.stock}),u(me,{card:"back"})]}):u("span",{class:"empty"});if(e.me===void 0)return u("div",{class:"stack","data-at":"stock",role:"img","aria-label":s,children:o});let a=()=>{e.act({kind:{case:"drawStock",value:{}}})};return u("button",{type:"button",class:`stack target${n?" legal":""}`,"data-at":"stock","aria-label":`${s}: ${l("draw")}`,onClick:a,children:o})}function wc(e,t,n){if(e.button!==0)return;let s=e.currentTarget,o=t.picked.has(n),a,r=d=>{if(d.pointerId!==e.pointerId||!a&&Math.hypot(d.clientX-e.clientX,d.clientY-e.clientY)<10)return;a||(t.pickOnly(n),a=nm(t),document.body.classList.add("dragging")),a.style.transform=`translate(${d.clientX}px, ${d.clientY}px) translate(-50%, -60%)`;let p=Sc(d);for(let h of document.querySelectorAll(".over"))h!==p&&h.classList.remove("over");p?.classList.add("over");let m=_c(d);for(let[h,f]of document.querySelectorAll("#hand .card").entries())f.classList.toggle("gap",h===m),f.classList.toggle("gap-after",h+1===m&&!f.nextElementSibling)},i=d=>{if(d.pointerId!==e.pointerId)return;for(let[h,f]of c)window.removeEventListener(h,f);document.body.classList.remove("dragging");for(let h of document.querySelectorAll(".over, .gap, .gap-after"))h.classList.remove("over","gap","gap-after");if(!a)return;a.remove();let p=h=>h.stopImmediatePropagation();s.addEventListener("click",p,{capture:!0}),setTimeout(()=>s.removeEventListener("click",p,{capture:!0}),0);let m=d.type==="pointerup"?_c(d):void 0;if(m!==void 0){t.move([...t.picked].sort((h,f)=>h-f),m),o||t.drop();return}d.type==="pointerup"&&t.asking.then(()=>Sc(d)?.click())},c=[["pointermove",r],["pointerup",i],["pointercancel",i]];for(let[d,p]of c)window.addEventListener(d,p)}function nm(e){let t=document.createElement("div");t.className="lifted";for(let n of e.picked){let s=document.querySelector(`#hand [data-place="${n}"] .face`)?.cloneNode(!0);s&&t.append(s)}return document.body.append(t),t}var Sc=e=>document.elementFromPoint(e.clientX,e.clientY)?.closest(".target")??void 0;function _c(e){let t=[...document.querySelectorAll("#hand .card")],n=document.elementsFromPoint(e.clientX,e.clientY),s=t.findIndex(i=>i===n.find(c=>c.classList.contains("card")));if(s<0)return;let[o,a]=[t[s].getBoundingClientRect(),t[s+1]?.getBoundingClientRect()],r=a&&a.top===o.top?a.left-o.left:o.width;return e.clientX<o.left+r/2?s:s+1}var sm=44;function kc({table:e}){let t=ee(null),[n,s]=_(0),{hand:o,fresh:a}=e;Qe(()=>{let m=t.current;if(!m)return;let h=()=>om(m,o.length);h();let f=new ResizeObserver(h);return f.observe(m),()=>f.disconnect()},[o.length]);let r=Math.min(n,o.length-1),i=[...a],c=m=>{let h=i.indexOf(m);return h>=0&&i.splice(h,1),h>=0},d=m=>{let h={ArrowLeft:-1,ArrowRight:1,Home:-o.length,End:o.length}[m.key];if(h===void 0||o.length===0)return;m.preventDefault();let f=Math.abs(h)===1?(r+h+o.length)%o.length:h<0?0:o.length-1;m.altKey&&e.move([r],f>r?f+1:f),s(f),t.current?.querySelectorAll("button")[f]?.focus()},p=e.view.seats[e.me??-1];return u("section",{id:"own","data-at":`seat${e.me}`,class:e.isMine?"acts":"","aria-label":l("hand.of",{name:p?.name??"",cards:o.length}),children:u("div",{id:"hand",ref:t,role:"group","aria-label":l("hand",{cards:o.length}),onKeyDown:d,children:o.map((m,h)=>{let f=c(m);return u("button",{type:"button",class:`card${f?" fresh":""}`,"data-card":m,"data-place":h,"aria-pressed":e.picked.has(h),"aria-label":`${at(m)}${f?`, ${l("new")}`:""}`,tabIndex:h===r?0:-1,onClick:()=>{s(h),e.toggle(h)},onPointerDown:g=>wc(g,e,h),children:u(me,{card:m})},h)})})})}function om(e,t){let n=getComputedStyle(e),s=e.clientWidth-Number.parseFloat(n.paddingLeft)-Number.parseFloat(n.paddingRight),o=e.querySelector(".card")?.offsetWidth??0;if(o===0||s<=o)return;let a=Math.max(1,Math.floor((s-o)/sm)+1),r=Math.max(1,Math.ceil(t/a)),i=Math.ceil(t/r),c=i>1?Math.min(o+4,(s-o)/(i-1)):o;e.style.setProperty("--row",`${i}`),e.style.setProperty("--rows",`${r}`),e.style.setProperty("--offset",`${c}px`);for(let[d,p]of[...e.querySelectorAll(".card")].entries()){let m=Math.floor(d/i),h=m===r-1?t-i*(r-1):i,f=(s-((h-1)*c+o))/2;p.style.left=`${f+d%i*c+Number.parseFloat(n.paddingLeft)}px`,p.style.setProperty("--line",`${m}`)}}function Rc({transport:e,ids:t,title:n,close:s}){let[o,a]=_({});return C(()=>{let r=G(te,e),i=async c=>{let{entry:d}=await r.getRule({key:{case:"ruleId",value:c}});return[c,d.case==="rule"?d.value.text:""]};Promise.all(t.map(i)).then(c=>a(Object.fromEntries(c)),c=>a({"":L.of(c).message}))},[]),u(we,{id:"rules",title:l("rules"),close:s,children:[u("p",{class:"summary",children:[n,"."]}),K!=="en"&&u("p",{class:"note",children:l("rules.english")}),u("dl",{lang:"en",children:Object.entries(o).map(([r,i])=>[u("dt",{children:r},r),u("dd",{children:i},`${r}.`)])})]})}var rm=2e3,um=({toAct:e,phase:t})=>e!==void 0?le(e):t===2?Wt:void 0;async function Ac({stateAfter:e,transport:t},{n,record:s,view:o,before:a},r,i){if(!e||!t)return[];let c=G(te,t),d=i?n-1:n,[p,m,h]=[await e(BigInt(d)),i?a:o,i],f=m.seats.map(y=>y.name),g=J(s.record?.actor),b=[];for(;b.length<rm;){let y=h&&g!==void 0?le(g):um(m),v=h??(y&&(await c.suggestAction({state:p,actor:y})).action);if(!y||!v)break;let{outcome:k}=await c.applyAction({state:p,actor:y,action:v,observers:[r]});if(k.case!=="accepted")throw new Error(k.case==="rejected"?k.value.violations[0]?.message:k.case);let{observations:[A],roundEnd:N,gameEnd:w}=k.value;p=k.value.state,m=A?.roundOver??A?.view??m;for(let z of m.seats)z.name||=f[z.seat]??"";let j=3,X=BigInt(d+1+b.length);if(b.push(Z(Hu,{record:{n:X,kind:j,actor:y,action:v,round:m.round,seq:m.seq},events:A?.events??[],view:m,...N&&{roundEnd:N},...w&&{gameEnd:w}})),N)break;h=void 0}return b}var im=4;async function xc({stateAfter:e,transport:t},n,s){let{n:o,record:{record:a}={}}=n[s]??{};if(!e||!t||!a?.actor||!a.action||o===void 0)return;let r=n.findLastIndex((p,m)=>m<s&&p.record.events.some(({kind:h})=>h.case==="dealt")),i=n.slice(r,s).flatMap(({record:{record:p,events:m}})=>p?.actor&&m.length>0?[{actor:p.actor,events:m}]:[]),{actor:c,action:d}=a;return G(te,t).suggestAction({state:await e(BigInt(o-1)),actor:c,level:im,history:i,played:d})}var cm=[2,3,5],dm=[3,4,5,8];function Tc(e,t=[],n=[]){let s=[],[o,a,r]=[void 0,0,""],i=Z(Pu,{seats:n.map((c,d)=>({seat:d,name:c,side:9}))});for(let c of e){let d=o;for(let v of c.view?.seats??[])v.name||=t[v.player]??"";c.view&&(c.events.length>0||!d)&&(o=c.view),cm.includes(c.unknown)&&(o=void 0),o&&(i={...o,sides:o.sides.map(v=>({...v,melds:[]}))});let{kind:p,n:m=0n,actor:h,round:f=d?.round??0}=c.record??{},g=h?.who.case==="role"&&h.who.value===1,y=p!==2&&p!==4&&p!==5&&!g?d&&dm.includes(d.phase)?d.turn:J(h):void 0;r!==`${f}.${y}`&&(a+=1),r=`${f}.${y}`,s.push({n:Number(m),record:c,view:o,before:d,named:d??o??i,round:f,seat:y,turn:a,incidents:lm(c)})}return s}function lm({record:e}){let t=e?.action?.kind.case;return e?.kind===6?["refusal"]:e?.kind===7?["note"]:(e?.codes.length??0)>0?["illegal"]:t==="ruling"||t==="dispute"?[t]:[]}function Nc(e){let t=e.length-1,n=({view:a,turn:r})=>a?`${a.round}.${a.turn}`:`${r}`,s=e.flatMap((a,r)=>r>0&&n(a)!==n(e[r-1])?r:[]),o=e.flatMap(({record:a},r)=>a.record?.action?.kind.case==="deal"?r:[]);return{turns:[0,...s,t],rounds:[0,...o,t]}}var qn=(e,t,n)=>(n>0?e.find(s=>s>t):e.findLast(s=>s<t))??t;function ut({record:e,view:t,named:n,n:s}){let{record:o,events:a}=e,r=J(o?.actor),i=r===void 0?l(o?.actor?.who.value===3?"director":"table"):U(n,r),c=new ve(n,n.seats[r??-1]?.side),d=o?.action&&c.action(o.action);switch(o?.kind){case 1:return l("step.genesis");case 2:return l("step.register",{round:o.round??0});case 7:return l("step.note",{name:i,text:o.text});case 8:return l("step.checkpoint");case 6:return d?l("step.tried",{name:i,action:d}):l("step.refused",{name:i});case 4:return e.roundEnd?fm(n,e.roundEnd):l("step.roundEnd");case 5:return e.gameEnd?`${l("gameOver")}. ${Bn(n,e.gameEnd)}`:l("gameOver")}let p=new ve(t??n,n.seats[r??-1]?.side,r),m=a.filter(({kind:f})=>f.case!=="ruled").map(f=>p.event(f)).filter(Boolean).join(". ");return[o?.action?pm(o.action,i,d??""):"",m].filter(Boolean).join(". ")||(d?`${i}: ${d}`:l("record",{record:s}))}function pm({kind:e},t,n){return e.case==="ruling"?e.value.reason?`${n}: ${e.value.reason}`:n:e.case==="dispute"&&e.value.reason?`${t}: ${n}`:""}function fm(e,t){let n=t.scores.map(s=>l("step.scored",{name:Pn(e,s),total:D(s.total),score:D(s.cumulative)}));return[H0(e,t),...n].join(". ")}var mm=900,Dc={first:[()=>0,"Home"],"round.before":[({now:e,stops:t})=>qn(t.rounds,e,-1),"PageUp"],"turn.before":[({now:e,stops:t})=>qn(t.turns,e,-1),"Shift+ArrowLeft"],before:[({now:e})=>e-1,"ArrowLeft"],next:[({now:e})=>e+1,"ArrowRight"],"turn.next":[({now:e,stops:t})=>qn(t.turns,e,1),"Shift+ArrowRight"],"round.next":[({now:e,stops:t})=>qn(t.rounds,e,1),"PageDown"],last:[({last:e})=>e,"End"]},V0=["first","round.before","turn.before","before"],Ic=["next","turn.next","round.next","last"],gm={first:"M6 5v14M19 5l-9 7 9 7z","round.before":"M6 5v14M13 6l-5 6 5 6M20 6l-5 6 5 6","turn.before":"M12 6l-6 6 6 6M19 6l-6 6 6 6",before:"M15 6l-6 6 6 6"};function Mc(e,t){let n=e.target;if(e.ctrlKey||e.altKey||e.metaKey||n.closest("dialog, select, textarea, input:not([type=range], [type=checkbox])"))return;let s=`${e.shiftKey?"Shift+":""}${e.key}`,o=Object.values(Dc).find(([,a])=>a===s);if(o)t.go(o[0](t));else if(s===" "&&!n.closest("button, summary, input, a"))document.querySelector('[data-act="play"]')?.click();else return;e.preventDefault()}function Oc({steps:e,...t}){let{now:n,last:s,stops:o,go:a}=t,[r,i]=_(!1);C(()=>{if(!r)return;if(n>=s)return i(!1);let p=setTimeout(()=>a(n+1),mm);return()=>clearTimeout(p)},[r,n,s]);let c=p=>{let[m,h]=Dc[p],f=l(`walk.${p}`),g=V0.includes(p),b=gm[g?p:V0[V0.length-1-Ic.indexOf(p)]??""];return u("button",{type:"button","data-act":p,"aria-label":f,"aria-keyshortcuts":h,title:`${f} (${h})`,onClick:()=>a(m(t)),children:u("svg",{viewBox:"0 0 24 24","aria-hidden":"true",class:g?void 0:"turned",children:u("path",{d:b})})},p)},d=p=>({left:`${100*p/Math.max(s,1)}%`});return u("div",{id:"actions",role:"group","aria-label":l("walk"),children:[u("div",{class:"slider",children:[o.rounds.slice(1,-1).map(p=>u("i",{style:d(p)},p)),e.map(({incidents:p},m)=>p.length>0&&u("i",{class:"incident",style:d(m)},`!${m}`)),u("input",{type:"range",min:0,max:s,value:n,"aria-label":l("record.slider"),"aria-valuetext":`${l("record",{record:e[n]?.n??0})} ${e[n]?ut(e[n]):""}`,onInput:p=>a(Number(p.currentTarget.value))})]}),u("div",{class:"ways",children:[V0.map(c),u("button",{type:"button","data-act":"play",class:"primary","aria-pressed":r,"aria-label":l("run"),"aria-keyshortcuts":"Space",title:`${l("run")} (Space)`,onClick:()=>i(!r),children:u("svg",{viewBox:"0 0 24 24","aria-hidden":"true",children:u("path",{d:r?"M8 5v14M16 5v14":"M8 5l11 7-11 7z"})})}),Ic.map(c)]})]})}var Wn=class extends Error{};function B(e,t){if(!e)throw new Wn(t)}var hm=8192,Cc="— ",Qo=new TextEncoder,Lc=e=>new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(e),It=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-256",$e(e.map(t=>typeof t=="string"?Qo.encode(t):t)))),K0=(e,t)=>P(e)===P(t),$n=(e,t)=>Uint8Array.from({length:t},(n,s)=>Math.floor(e/256**(t-1-s))%256),Gc=e=>e.reduce((t,n)=>t*256+n,0);function it(e,t="std"){let n;try{n=Re(e)}catch{throw new Wn("something that should be base64 is not")}return B(he(n,t)===e,"base64 in another spelling"),n}function Zo(e){let t=Number(e);return B(Number.isSafeInteger(t)&&t>=0&&String(t)===e,"something that should be a number is not"),t}var Pc=e=>it(JSON.parse(e).log);function bm(e){let t=0;for(let n of e){t^=n;for(let s=0;s<8;s++)t=(t<<1^(t&128?7:0))&255}return t}async function ym(e){B(P(e.slice(0,9))==="89434c4f470d0a1a02","the log is not a log of version 2");let t=await It("canasta-log/1/start\0",e.slice(0,9)),n=[],s="";for(let o=9;o<e.length;){let a=n.length,r=Gc(e.slice(o,o+2)),i=o+3+r+8;B(bm(e.slice(o,o+2))===e[o+2]&&r>=1&&r<=6e4,`record ${a} has a wrong length`),B(i<=e.length,`the log ends within record ${a}`);let c=e.slice(o+3,o+3+r);t=await It("canasta-log/1\0",t,$n(a,8),$n(r,4),c),B(K0(e.slice(i-8,i),t.slice(0,8)),`the chain breaks at record ${a}`),a===0&&(s=P(c.slice(2,18))),n.push(t),o=i}return B(n.length>0,"the log has no record"),{heads:n,gameId:s}}async function vm(e,t,n,s){B(e<t,"the proof is of a leaf beyond the tree");let[o,a,r]=[e,t-1,await It($n(0,1),n)];for(let i of s){if(B(a>0,"the path of the proof is too long"),o%2===1||o===a)for(r=await It($n(1,1),i,r);o%2===0&&o>0;)[o,a]=[o/2,Math.floor(a/2)];else r=await It($n(1,1),r,i);[o,a]=[Math.floor(o/2),Math.floor(a/2)]}return B(a===0,"the path of the proof is too short"),r}function Uc(e,t,n){let{game:s,records:o,rounds:a,totals:r,result:i,verdict:c}=e;return B(s,"the log is no log of a game"),JSON.stringify({format:"canasta-game/1",game_id:P(s.gameId),records:Number(o),head:P(n),label:t,rule_set:{id:s.ruleSet,digest:P(s.ruleSetDigest)},players:s.players.map(({name:d})=>d),rounds:a,totals:r.map(Number),result:i&&{winner:i.winner,margin:i.margin},verdict:St[c]})}async function Em(e){let t=e.indexOf(`

`);B(t>0,"the proof is cut off");let[n,s,o,...a]=e.slice(0,t).split(`
`);B(n==="c2sp.org/tlog-proof@v1","the proof is not a tlog-proof"),B(s&&o&&s.startsWith("extra ")&&o.startsWith("index "),"the proof has no entry or no index");let r=e.slice(t+2),[i,c,d,...p]=F0(r).split(`
`);B(i&&c&&d&&p.length===1&&p[0]==="","the checkpoint does not have three lines"),B(/^[^+\s\p{C}]{1,255}$/u.test(i),"the tree has no name");let m=Lc(it(s.slice(6))),h={origin:i,note:r,leaf:m,size:Zo(c),index:Zo(o.slice(6)),root:it(d),entry:JSON.parse(m)},f=await vm(h.index,h.size,m,a.map(g=>it(g)));return B(K0(f,h.root),"the path does not lead from the entry to the root of the checkpoint"),B(h.entry.format==="canasta-game/1","the proof is not of a game"),h}async function Sm(e,t,n){B(e.length<=hm,"the proof of the link is too long");let s=it(e,"url"),o=s.slice(0,-8);B(K0((await It(o)).slice(0,8),s.slice(-8)),"the proof of the link is damaged");let[a="",r="",i="",...c]=Lc(await Io(o)).split(`
`),d=he(Qo.encode(Uc(t,a,n))),p=m=>m.split(" ").filter(h=>h!=="");return{keys:p(r),witnesses:p(i),tree:`c2sp.org/tlog-proof@v1
extra ${d}
index ${c.join(`
`)}`}}function _m(e){let t=JSON.parse(e);return B(t.format==="canasta-proof/1",`expected canasta-proof/1, found ${t.format}`),B(JSON.stringify(t).replaceAll("<","\\u003c")===e,"the block is not in its one spelling"),t}function F0(e){let t=e.lastIndexOf(`

`);return B(t>0,"a signed note is cut off"),e.slice(0,t+1)}async function wm(e,t){let[,n,s,o]=/^([^+\s\p{C}]{1,64})\+([0-9a-f]{8})\+(.+)$/u.exec(e)??[];B(n&&s&&o,`${e} is not a key`);let a=it(o);return B(a.length===33&&a[0]===t,`the key of ${n} is of another kind`),B(P((await It(n,`
`,a)).slice(0,4))===s,`the key of ${n} does not fit its name`),{name:n,hash:s,bytes:a.slice(1)}}function km(e,t){return t.slice(F0(t).length+1).split(`
`).filter(a=>a.startsWith(Cc)).map(a=>a.slice(Cc.length).split(" ")).flatMap(([a,r])=>a===e.name&&r!==void 0?[it(r)]:[]).filter(a=>P(a.slice(0,4))===e.hash).map(a=>a.slice(4))}async function Rm(e,t,n){try{let s=await crypto.subtle.importKey("raw",e.bytes,{name:"Ed25519"},!1,["verify"]);return await crypto.subtle.verify({name:"Ed25519"},s,n,Qo.encode(t))}catch(s){return s.name==="NotSupportedError"?void 0:!1}}var Am="this browser does not know Ed25519: use another one, or canasta-replay verify-proof",Bc=e=>new Date(e*1e3).toISOString().replace("T"," ").replace(".000Z"," UTC");async function Hc(e,t,n){let[s,o]=[[],[]],a=(g,b,y,v="")=>{s.push({outcome:g,what:b,detail:y,name:v})},r=async(g,b,y)=>{try{let[v,k]=await y();return a(k===void 0?"open":"holds",g,k??Am,b),v}catch(v){a("fails",g,v instanceof Wn?v.message:`it cannot be read (${v.message})`,b);return}},i="text"in e&&e.fullHead?e.fullHead:n.head,c=await r("check.block","",async()=>"block"in e?[_m(e.block),`canasta-proof/1, ${e.block.length} bytes`]:[await Sm(e.text,n,i),`${e.text.length} characters`]);if(!c)return{checks:s,tree:void 0,signers:o,keys:[]};let d=await r("check.chain","",async()=>{let g=await ym(t);return[g,`game ${g.gameId}, ${g.heads.length} records, last head ${P(g.heads.at(-1))}`]}),p=c.tree===void 0?void 0:await r("check.tree","",async()=>{let g=await Em(c.tree);return[g,`entry ${g.index} of ${g.size} of ${g.origin}, root ${P(g.root)}`]});p&&d&&await r("check.entry","",async()=>(B(Tt(n)&&n.game?.branchOf===void 0,"this page audits the log, and does not find it lawful and complete"),B(Uc(n,p.entry.label,i)===p.leaf,`the entry is another one: ${p.leaf}`),[void 0,p.leaf]));let m;c.note!==void 0&&d&&(m=await r("check.note","",async()=>{let[g,b,y]=F0(c.note).split(`
`),v=Zo(b??"");return B(g===`canasta-log/1/${d.gameId}`,"the note is of another game"),B(y&&d.heads[v]&&K0(it(y),d.heads[v]),`the log does not have record ${v} as it was signed`),[v,`it signs record ${v}`]}));let h=[["the tree",p?.note],["the note",c.note]],f=[...c.keys.map(g=>[g,!1]),...c.witnesses.map(g=>[g,!0])];for(let[g,b]of f)await r(b?"check.cosigned":"check.signed",g.split("+")[0]??"",async()=>{let y=await wm(g,b?4:1),v=[],[k,A]=[!0,0];for(let[N,w]of b?h.slice(0,1):h)for(let j of w===void 0?[]:km(y,w)){let X=Gc(j.slice(0,8)),z=`${b?`cosignature/v1
time ${X}
`:""}${F0(w)}`,S=await Rm(y,z,b?j.slice(8):j);B(S!==!1,`the signature of ${N} does not verify`),k&&=S!==void 0,A=Math.max(A,X),v.push(N)}return B(v.length>0,"this key has signed nothing here"),k&&v.includes("the tree")&&o.push(b?{key:g,of:"cosigned",time:A}:{key:g,of:"signed"}),k&&m!==void 0&&v.includes("the note")&&o.push({key:g,of:"noted",record:m}),[void 0,k?`${v.join(" and ")}, with ${g}`:void 0]});return c.tree===void 0&&a("open","check.tree","the proof has no entry of a tree"),o.some(g=>g.of==="signed")||a("open","check.somebody","no key of this proof is known to have signed the tree"),{checks:s,tree:p,signers:o,keys:f.map(([g])=>g)}}var[ea,ta,Dt]=[320,150,14];function qc({table:e,steps:t}){let[n,s]=_(!1),o=t.flatMap(({record:r})=>r.roundEnd??[]),a=o.filter($c);return u(T,{children:[u("h2",{children:l("panel.scores")}),a.length===0&&u("p",{children:l("scores.none")}),u(sa,{table:e,steps:t}),a.length>1&&u(Tm,{table:e,rounds:a}),a.length>0&&u("p",{children:u("button",{type:"button",id:"explain-sheets","aria-pressed":n,onClick:()=>s(!n),children:l("sheet.explain")})}),o.map(r=>u(Un,{table:e,round:r,isExplained:n},r.round))]})}var $c=({reason:e,scores:t})=>e!==1&&t.length>0;function sa({table:e,steps:t}){let n=t.flatMap(({record:o})=>o.roundEnd??[]).filter($c),s=t.findLast(({record:o})=>o.gameEnd)?.record.gameEnd;return u(T,{children:[s&&u("p",{class:"summary winner",children:Bn(e.view,s)}),n.length>0&&u(xm,{table:e,rounds:n})]})}var na=(e,t)=>t[0]?.scores.map(n=>Pn(e.view,n))??[];function xm({table:e,rounds:t}){let n=na(e,t);return u("table",{class:"sheet totals",children:[u("caption",{children:l("totals")}),u("thead",{children:u("tr",{children:[u("th",{scope:"col",children:l("totals.round")}),n.map((s,o)=>u("th",{scope:"col",children:s},o))]})}),u("tbody",{children:t.map(({round:s,scores:o})=>u("tr",{children:[u("th",{scope:"row",children:s}),o.map(({cumulative:a},r)=>u("td",{children:D(a)},r))]},s))})]})}function Tm({table:e,rounds:t}){let n=na(e,t).map((c,d)=>[0,...t.map(({scores:p})=>p[d]?.cumulative??0)]),s=n.flat(),[o,a]=[Math.min(...s),Math.max(...s,e.view.target)],r=c=>Dt+c*(ea-2*Dt)/t.length,i=c=>ta-Dt-(c-o)*(ta-2*Dt)/Math.max(a-o,1);return u("figure",{class:"chart",children:[u("svg",{viewBox:`0 0 ${ea} ${ta}`,role:"img","aria-label":l("totals.chart"),children:[[0,...e.view.target>0?[e.view.target]:[]].map(c=>u("g",{children:[u("path",{class:"rule",d:`M${Dt} ${i(c)}H${ea-Dt}`}),u("text",{x:Dt,y:i(c)-3,children:D(c)})]},c)),n.map((c,d)=>u("g",{class:`side${d}`,children:[u("polyline",{points:c.map((p,m)=>`${r(m)},${i(p)}`).join(" ")}),c.map((p,m)=>u("circle",{cx:r(m),cy:i(p),r:"3"},m))]},d))]}),u("figcaption",{children:na(e,t).map((c,d)=>u("span",{class:`side${d}`,children:[u("i",{}),c]},d))})]})}function oa(e,{checks:t}){return t.some(({outcome:n})=>n==="fails")?"fails":t.some(({outcome:n})=>n==="open")?"open":"text"in e&&e.fullHead?"result":"whole"}function Wc({proof:e,log:t},n){let[s,o]=_();return C(()=>{e&&t&&n&&globalThis.crypto.subtle&&Hc(e,t,n).then(o)},[e,n]),s}var Vc=({key:e})=>e.split("+").slice(0,2).join("+");function Fc({carried:e,checked:t,report:n,table:s,steps:o}){let a=u("h2",{children:l("pane.proof")});if(!globalThis.crypto.subtle)return u(T,{children:[a,u("p",{class:"summary verdict",id:"proven",children:l("proof.crypto")})]});if(!t||!n)return u(T,{children:[a,u("p",{role:"status",children:l("proof.checking")})]});let r=oa(e,t),{checks:i,signers:c}=t,d=c.filter(p=>p.of==="signed").map(Vc).join(", ");return u(T,{children:[a,u("p",{class:`summary verdict ${r}${r==="fails"||r==="open"?"":" good"}`,id:"proven",role:"status",children:l(`proof.${r}`,{keys:d})}),r==="fails"&&u("ul",{class:"outside",children:i.filter(({outcome:p})=>p==="fails").map(({what:p,name:m,detail:h},f)=>u("li",{class:"bad",children:[l("outcome.fails"),": ",l(p,{name:m}),". ",u("span",{lang:"en",class:"note",children:h})]},f))}),u(sa,{table:s,steps:o}),u(Nm,{proven:r,checked:t,report:n,isBare:"text"in e&&e.fullHead!==void 0}),t.keys.length>0&&u(Im,{keys:t.keys}),u(Dm,{checked:t,report:n})]})}function Nm({proven:e,checked:t,report:n,isBare:s}){let{tree:o,signers:a}=e==="fails"?{tree:void 0,signers:[]}:t,[r,i]=[n.signed.reduce((m,h)=>m+h.signed,0n),n.signed.reduce((m,h)=>m+h.actions,0n)],c=s?l("proof.signed.away"):r>0n?l("proof.signed.players",{signed:D(r),actions:D(i)}):l("proof.signed.nobody"),d=o&&l("proof.entry",{index:D(o.index),size:D(o.size),origin:o.origin,label:o.entry.label}),p=[["proof.log",Tt(n),[l(`verdict.${St[n.verdict]}`),d,s&&o?l("proof.bare"):void 0]],["proof.deal",n.deal===1,[`${re(l(`deal.${bn[n.deal]}`))}.`]],["proof.signature",a.length>0,[...a.map(m=>l(`proof.${m.of}`,{key:Vc(m),time:Bc(m.time??0),record:m.record??0})),a.length===0?l("proof.unsigned"):void 0,c]]];return u("dl",{class:"said",children:p.map(([m,h,f])=>[u("dt",{children:l(m)},m),u("dd",{class:h?"good":void 0,children:f.filter(Boolean).map(g=>u("p",{children:g},g))},`${m}.`)])})}function Im({keys:e}){let[t,n]=_("");return u(T,{children:[u("label",{class:"whose",children:[u("span",{children:l("proof.keys")}),u("input",{id:"key",value:t,placeholder:"NAME+HASH+BASE64",spellcheck:!1,autocomplete:"off",onInput:s=>n(s.currentTarget.value.trim())})]}),u("p",{id:"known",role:"status",children:t!==""&&l(e.includes(t)?"proof.key.known":"proof.key.none",{name:t.split("+")[0]??""})})]})}function Dm({checked:{checks:e,keys:t,tree:n},report:s}){let[o,a]=_();return C(()=>{Ii().then(a)},[]),u("details",{class:"expert",children:[u("summary",{children:l("proof.details")}),u("ul",{id:"checks",children:e.map(({what:r,name:i,outcome:c,detail:d},p)=>u("li",{class:c,children:[u("b",{children:l(`outcome.${c}`)})," ",u("span",{children:l(r,{name:i})})," ",u("small",{lang:"en",class:"note",children:d})]},p))}),u("dl",{children:[t.map(r=>[u("dt",{children:r.split("+")[0]},r),u("dd",{children:r},`${r}.`)]),u("dt",{children:l("audit.head")}),u("dd",{children:P(s.head)}),o&&[u("dt",{children:l("proof.verifier")},"digest"),u("dd",{id:"digest",children:o},"digest.")]]}),n&&u("pre",{tabIndex:0,role:"group","aria-label":l("proof.checkpoint"),children:n.note}),u("h3",{children:l("proof.not")}),u("ul",{class:"not",children:["proof.not.beacon","proof.not.chosen","proof.not.tree","proof.not.page"].map(r=>u("li",{children:l(r)},r))})]})}function Mm(e){let t=[];for(let[n,s]of e.entries()){let o=e[n-1];o?.turn===s.turn?t.at(-1)?.steps.push([n,s]):t.push({steps:[[n,s]],isFirstOfRound:o?.round!==s.round})}return t}function Kc({steps:e,now:t,unplayed:n=1/0,isOpen:s,go:o}){let[a,r]=_(!1),i=ee(null),c=e.filter(({incidents:p})=>p.length>0).length,d=Pe(()=>Mm(e).map(p=>{let[,m]=p.steps[0],{named:h,seat:f}=m;return u("li",{class:`turn side${h.seats[f??-1]?.side??" nobody"}`,children:[p.isFirstOfRound&&u("h3",{children:m.round>0?l("round",{round:m.round}):l("beginning")}),f!==void 0&&u("b",{children:u("bdi",{children:U(h,f)})}),u("ol",{children:p.steps.map(([g,b])=>u(Om,{at:g,step:b,isPlayed:g<n},g))})]},m.n)}),[e,n]);return Qe(()=>{let p=g=>i.current?.querySelector(g),m=p("[aria-current]"),h=m!==null&&m===document.activeElement;m?.removeAttribute("aria-current"),m?.setAttribute("tabindex","-1");let f=p(`[data-step="${t}"]`);f?.setAttribute("aria-current","step"),f?.setAttribute("tabindex","0"),f?.scrollIntoView({block:"nearest"}),h&&f?.focus({preventScroll:!0})},[t,d,a,s]),u(T,{children:[u("h2",{class:"hidden",children:l("pane.records")}),u("label",{class:"check",children:[u("input",{type:"checkbox",id:"incidents",checked:a,onChange:()=>r(!a)}),u("span",{children:l("incidents.only",{count:c})})]}),c===0&&u("p",{class:a?"note":"note paper",children:l("incidents.none")}),u("div",{class:"scroll",ref:i,onClick:p=>{let m=p.target.closest("[data-step]")?.dataset.step;m!==void 0&&o(Number(m))},children:u("ol",{class:a?"turns short":"turns",children:d})})]})}function Om({at:e,step:t,isPlayed:n}){let{incidents:s,n:o}=t;return u("li",{class:`${s.length>0?"incident":""}${n?"":" unplayed"}`,children:u("button",{type:"button","data-step":e,tabIndex:-1,children:[u("span",{class:"n",children:o})," ",u("span",{children:[s.map(a=>u("strong",{class:"tag",children:l(`incident.${a}`)},a))," ",ut(t)]})]})})}function Yt({id:e,source:t}){let[n,s]=_(),o=({currentTarget:r})=>{!r.open||n!==void 0||t.rule?.(e).then(({entry:i})=>s(i.case==="rule"?i.value.text:""),i=>s(L.of(i).message))},a=K==="en"||!e.startsWith("IR-");return u("details",{class:"rule","data-rule":e,onToggle:o,children:[u("summary",{children:e}),K!=="en"&&a&&u("p",{class:"note",children:l("rules.english")}),u("p",{lang:a?"en":K,children:n??l("loading")})]})}var Cm=5;function jc({source:e}){let[t,n]=_(""),[s,o]=_(),a=r=>{r.preventDefault(),e.find?.(t).then(({entry:i})=>o(i.case==="matches"?i.value.matches:[]),i=>o(L.of(i).message))};return u("section",{id:"ask","aria-labelledby":"ask-title",children:[u("h3",{id:"ask-title",children:l("ask")}),u("form",{onSubmit:a,children:[u("input",{value:t,maxLength:120,"aria-label":l("ask.what"),placeholder:l("ask.example"),onInput:r=>n(r.currentTarget.value)}),u("button",{type:"submit",children:l("ask.find")})]}),typeof s=="string"&&u("p",{role:"alert",children:l("trouble.other",{message:s})}),Array.isArray(s)&&u(Lm,{matches:s,source:e})]})}function Lm({matches:e,source:t}){let n=e.filter(({found:o})=>o.case==="irregularity"),s=e.flatMap(({found:o})=>o.case==="ruleId"?[o.value]:[]).slice(0,Cm);return u("div",{role:"status",children:[u("p",{children:l(n.length===0?"ask.nothing":n.length===1?"ask.one":"ask.few")}),n.length>0&&u("ul",{class:"laws",children:n.map(({text:o,laws:a,found:r})=>u("li",{children:[u("strong",{children:re(o)}),[...new Set(a)].map(i=>u(Yt,{id:i,source:t},i))]},r.value))}),n.length===0&&s.map(o=>u(Yt,{id:o,source:t},o))]})}var Gm=6,Pm=150;function zc({source:e,step:t,eyes:n,isOpen:s,playOn:o,review:a}){let[r,i]=_(),{n:c}=t,d=r?.n===c&&r.eyes===n;C(()=>{if(!s||d)return;let f=!1,g=setTimeout(()=>e.explain?.(BigInt(c),n).then(b=>f||i({n:c,eyes:n,answer:b}),b=>f||i({n:c,eyes:n,failure:L.of(b).message})),Pm);return()=>{f=!0,clearTimeout(g)}},[c,n,s,d]);let p=t.named,{answer:m,failure:h}=d?r:{answer:void 0,failure:void 0};return u(T,{children:[u("h2",{children:l("pane.why")}),u("p",{class:"summary",children:ut(t)}),h!==void 0&&u("p",{role:"alert",children:l("trouble.other",{message:h})}),!m&&h===void 0&&u("p",{role:"status",children:l("loading")}),m&&u(Um,{answer:m,view:p,source:e},`${c}`),m?.judgement.case==="legal"&&J(m.record?.actor)===p.toAct&&Jc(n,m)&&a&&u(Bm,{words:aa(m,p),review:a},`${c}?`),m&&u(qm,{answer:m,view:p,eyes:n,playOn:o},`${c}.`),o&&u("p",{children:u("button",{type:"button",id:"play-on",onClick:()=>o(),children:l("branch.here")})}),e.find&&u(jc,{source:e})]})}var aa=({record:e},t)=>new ve(t,t.seats[J(e?.actor)??-1]?.side);function Um({answer:e,view:t,source:n}){let{judgement:s,record:o,unknown:a}=e,r=aa(e,t),i=o?.action?.kind.case==="ruling"?o.action.kind.value.rule:void 0;return i?u("p",{children:[l("why.ruling")," ",u(Yt,{id:i,source:n})]}):s.case===void 0?u("p",{children:l(`unknown.${$t[a]}`)}):s.case==="legal"?u("p",{class:"legal",children:l("why.legal")}):u("ol",{class:"violations",children:s.value.violations.map((c,d)=>u("li",{children:[u("p",{children:[u("strong",{children:l(d===0?"refused":"also")})," ",Hm(r,c)]}),c.repair&&u("p",{children:[l("instead")," ",r.repair(c.repair),"."]}),c.ruleIds.map(p=>u(Yt,{id:p,source:n},p)),u("p",{class:"note",children:u("code",{children:c.code})})]},c.code))})}var Jc=(e,{record:t})=>e===He||J(e)===J(t?.actor);function Bm({words:e,review:t}){let[n,s]=_("");return u("p",{id:"reviewed",role:"status",children:n||u("button",{type:"button",id:"review",onClick:()=>{s(l("loading")),t().then(a=>{let{lost:r=0,error:i=0,slip:c=""}=a?.review??{};s(c&&a?.action?l("review.lost",{action:e.action(a.action),points:r,error:i}):l("review.fine"))},a=>s(l("trouble.other",{message:L.of(a).message})))},children:l("review")})})}var Hm=(e,t)=>t.message===""?l("why.hidden"):`${e.violation(t)}.`;function qm({answer:e,view:t,eyes:n,playOn:s}){let[o,a]=_(!1),{legalActions:r,complete:i}=e,c=aa(e,t),d=J(e.record?.actor),p=t.sides.find(y=>y.side===t.seats[d??-1]?.side),m=y=>$m(c,y,p),h=e.record?.action&&e.judgement.case==="legal"?m(e.record.action):"",f=r.filter(y=>m(y)!==h);if(f.length===0)return Jc(n,e)&&d!==void 0&&i?u("p",{children:l("why.nothing")}):null;let g=o?f:f.slice(0,Gm),b=f.length-g.length;return u(T,{children:[u("h3",{children:l("why.possible")}),u("ul",{class:"possible",children:g.map((y,v)=>u("li",{children:[u("span",{children:m(y)}),s&&u("button",{type:"button",class:"link","aria-label":`${l("branch.then")} ${m(y)}`,onClick:()=>s(y),children:l("branch.then")})]},v))}),b>0&&u("p",{children:u("button",{type:"button",id:"more-possible",onClick:()=>a(!0),children:l("why.more",{count:b})})}),!i&&b===0&&u("p",{class:"note",children:l("why.incomplete")})]})}function $m(e,t,n){let{kind:s}=t,o=a=>n?.melds.find(({id:r})=>a?.where.case==="meld"&&a.where.value.id===r);return s.case==="meld"&&s.value.groups.some(({onto:a})=>o(a))?s.value.groups.map(({cards:a,onto:r})=>{let[i,c]=[a.map(Ke).join(" "),o(r)];return c?l("onto",{cards:i,meld:rt(c)}):i}).join(" · "):e.action(t)}var Wm=["board","records","why","scores","verdict","proof"],Xc=e=>String(J(e)??(e.who?.value===to.who?.value?"table":"judge")),Vm=e=>e==="judge"?He:e==="table"?to:le(Number(e));async function Fm(e,t){try{return await e.describe(t,0n,void 0,!0)}catch(n){let s=(await e.audit?.())?.records??0n;if(s===0n)throw n;return e.describe(t,0n,s-1n,!0)}}function j0({source:e,at:t,names:n,outside:s,link:o,close:a}){let[r,i]=_([]),[c,d]=_(),[p,m]=_(e.eyes??He),[h,f]=_(),[g,b]=_(""),[y,v]=_(),{proof:k}=e,[A,N]=_(k&&"block"in k?"proof":"board"),[w,j]=_(),[X,z]=_(!1),S=I=>b(L.of(I).message);C(()=>{let I=pe=>{i(pe),d(p),j(void 0)};Fm(e,p).then(I,S)},[e,p]),C(()=>{e.audit?.().then(f,S)},[e]);let M=Wc(e,h),q=Pe(()=>{let I=h?.game?.seating.map(Q0=>h.game?.players[Q0]?.name??""),pe=Tc(w?[...r.slice(0,w.from),...w.records]:r,n,I),Z0=pe.slice(0,w?.from);for(let{record:Q0}of h?.findings??[])Z0.find(({n:cd})=>cd===Number(Q0))?.incidents.push("finding");return pe},[r,h,w]),Y=Pe(()=>Nc(q),[q]),W=q.length-1,X0=t===void 0?q.findIndex(({view:I})=>I):q.findLastIndex(({n:I,view:pe})=>I<=t&&(pe||t<1/0)),ge=Math.min(Math.max(y??X0,0),W),ae=q[ge],Je=I=>v(Math.min(Math.max(I,0),W)),Ct=ee({now:ge,last:W,stops:Y,go:Je});Ct.current={now:ge,last:W,stops:Y,go:Je},C(()=>{let I=pe=>Mc(pe,Ct.current);return window.addEventListener("keydown",I),()=>window.removeEventListener("keydown",I)},[]),C(()=>{if(y===void 0||w||!ae)return;let I=setTimeout(()=>o?.(ae.n),300);return()=>clearTimeout(I)},[ae?.n,w]),C(()=>document.querySelector("#top h1")?.focus(),[]);let ct=Pe(()=>{let I=new Jt({actor:p},()=>{});return I.isReplay=!0,ae&&(I.view=ae.view??ae.named),I.before=ae?.before,I.bottom=J(c??p),I.draw=U0(q.flatMap(({record:pe})=>pe.events)),I},[ae]);if(!ae)return u("main",{class:"page",children:[u("h1",{children:l("replay")}),g===""?u("p",{role:"status",children:l("loading")}):u("p",{role:"alert",children:[l("load.failed")," ",u("span",{lang:"en",children:g})]}),g!==""&&h&&u("section",{children:u(Hn,{report:h})}),a&&u("p",{children:u("button",{type:"button",onClick:a,children:l("back")})})]});let{view:dt}=ct,Qt=e.stateAfter&&!w?I=>{let pe=I?ge:ge+1;Ac(e,ae,c??p,I).then(Z0=>{j({from:pe,asked:ge,records:Z0}),v(pe)},S)}:void 0,Y0=()=>{v(w?.asked),j(void 0)},R={records:u(Kc,{steps:q,now:ge,unplayed:w?.from,isOpen:A==="records",go:Je}),why:e.explain&&!w?u(zc,{source:e,step:ae,eyes:p,isOpen:A==="why",playOn:Qt,review:Qt&&(()=>xc(e,q,ge))}):void 0,scores:u(qc,{table:ct,steps:q}),verdict:e.audit?u(Hn,{report:h,view:dt,outside:s,reloads:o!==void 0,go:I=>Je(q.findLastIndex(pe=>pe.n<=I))}):void 0,proof:k?u(Fc,{carried:k,checked:M,report:h,table:ct,steps:q}):void 0},de={verdict:h&&Tt(h),proof:k&&M&&["whole","result"].includes(oa(k,M))},Kn=Wm.filter(I=>I==="board"||R[I]),id=I=>I===A||I==="records"&&(A==="board"||!R[A]);return u("div",{id:"table",class:`viewer sees-${A}`,"data-eyes":c&&Xc(c),"aria-busy":c!==p,children:[u("header",{id:"top",children:[u("h1",{tabIndex:-1,children:dt.title||l("replay")}),!e.eyes&&u("label",{children:[u("span",{children:l("seen.by")})," ",u("select",{id:"eyes",value:Xc(p),onChange:I=>m(Vm(I.currentTarget.value)),children:[u("option",{value:"judge",children:l("judge")}),u("option",{value:"table",children:l("spectators")}),dt.seats.map(I=>u("option",{value:I.seat,children:U(dt,I.seat)},I.seat))]})]}),e.log&&u("button",{type:"button",id:"share-open",onClick:()=>z(!0),children:l("share")}),a&&u("button",{type:"button",id:"close",onClick:a,children:l("back")})]}),X&&e.log&&u(q0,{id:e.id,log:e.log,packed:e.packed,at:ae.n,close:()=>z(!1)}),u("nav",{class:"panes","aria-label":l("panes"),children:Kn.map(I=>u("button",{type:"button","data-pane":I,"aria-pressed":A===I,onClick:()=>N(I),children:[l(`pane.${I}`),de[I]!==void 0&&u(T,{children:[" ",u("span",{"aria-hidden":"true",children:de[I]?"✓":"!"})]})]},I))}),g!==""&&u("p",{id:"trouble",role:"alert",children:[l("trouble.other",{message:g})," ",u("button",{type:"button",class:"close","aria-label":l("close"),onClick:()=>b(""),children:"×"})]}),ae.view?u(W0,{table:ct}):u("main",{id:"felt",class:"none",children:u("p",{children:l(`unknown.${$t[ae.record.unknown||1]}`)})}),u("aside",{class:"pane","aria-label":l(`pane.${A==="board"?"records":A}`),children:Kn.map(I=>I!=="board"&&u("section",{id:`pane-${I}`,class:id(I)?void 0:"off",children:R[I]},I))}),u("footer",{id:"bar",children:[w&&ge>=w.from&&u("p",{id:"unplayed",children:[u("strong",{children:l("branch.note")})," ",u("button",{type:"button",id:"played",onClick:Y0,children:l("branch.back")})]}),u("p",{id:"turn",role:"status",tabIndex:0,children:[u("span",{class:"n",children:l("record",{record:ae.n})})," ",ut(ae)]}),u(Oc,{steps:q,now:ge,last:W,stops:Y,go:Je})]})]})}function Yc({table:e,transport:t,at:n,close:s}){let{game:o,view:a,end:r}=e,[i,c]=_(xi(o,t)),d=r!==void 0;return C(()=>{d&&o.log().then(async p=>c(await Gn(o.id,p))).catch(e.fail)},[d]),u(j0,{source:i,at:n??(d?void 0:1/0),names:a.seats.map(p=>p.name),close:s},i.log?"log":"game")}var Zc={d:'[data-act="draw"]',h:'[data-act="hint"]',u:'[data-act="undo"]',m:'[data-act="legal"]',p:"[data-at=pile].target",Escape:'[data-act="clear"]',"?":"#open-moves"};function Qc({table:e,transport:t,at:n,rematch:s,home:o}){let[a,r]=_(),[i,c]=_(ie("guided")!=="done"&&e.me!==void 0);C(()=>{let f=g=>{g.key==="Escape"&&document.querySelector("#menu[open]")?.removeAttribute("open"),!(g.ctrlKey||g.altKey||g.metaKey||document.querySelector("dialog[open]")!==null)&&!/^(INPUT|SELECT|TEXTAREA)$/.test(g.target.tagName)&&Zc[g.key]&&document.querySelector(Zc[g.key])?.click()};return window.addEventListener("keydown",f),document.querySelector("#top h1")?.focus(),()=>window.removeEventListener("keydown",f)},[]);let{view:d,panel:p,isMine:m}=e;if(C(()=>(Po(d.title,m),m&&ji(e.happened.at(-1)??""),()=>Po(d.title,!1)),[m]),p==="replay")return u(Yc,{table:e,transport:t,at:n,close:()=>e.open(void 0)});let h=()=>{ce("guided","done"),c(!1)};return u("div",{id:"table",class:e.isMine?"mine":"",children:[u("header",{id:"top",children:[u("h1",{tabIndex:-1,children:d.title}),u(Km,{table:e,guide:()=>c(!0),home:o})]}),e.isAlone&&!ho&&u("p",{class:"warning",role:"status",children:l("unkept")}),u("div",{id:"play",class:i?"guided":"",children:[i&&u(zm,{table:e,close:h}),u("div",{id:"felt-and-hand",children:[u(W0,{table:e}),u(lc,{table:e,ask:(f,g)=>r({ids:f,title:g})}),u(dc,{table:e}),e.me!==void 0?u(kc,{table:e}):u("section",{id:"own",class:"still"}),u(cc,{table:e})]}),u("aside",{id:"beside","aria-label":l("panel.history"),children:[u("h2",{children:l("panel.history")}),u(Uo,{table:e})]})]}),u(Ji,{table:e,values:u(Eo,{client:G(te,t),id:d.ruleSet,canonical:()=>e.game.ruleSet(),ask:(f,g)=>r({ids:f,title:g})})}),a&&u(Rc,{transport:t,ids:a.ids,title:a.title,close:()=>r(void 0)}),u(zi,{table:e,rematch:s,home:o,ask:(f,g)=>r({ids:f,title:g})})]})}function Km({table:e,guide:t,home:n}){let s=a=>()=>{document.querySelector("#menu")?.removeAttribute("open"),e.open(a)},o=["scores","history","values","moves","log","replay","calls"];return u("nav",{"aria-label":l("menu"),children:[e.meeting&&u("button",{type:"button",id:"open-room",onClick:s("room"),children:l("panel.room")}),u("button",{type:"button",id:"open-scores",class:"wide",onClick:s("scores"),children:l("panel.scores")}),u("button",{type:"button",id:"open-values",class:"wide",onClick:s("values"),children:l("panel.values")}),u("details",{id:"menu",children:[u("summary",{children:l("menu")}),u("div",{class:"menu",children:[o.map(a=>u("button",{type:"button",id:a==="scores"||a==="values"?`menu-${a}`:`open-${a}`,onClick:s(a),children:l(`panel.${a}`)},a)),u("button",{type:"button",onClick:t,children:l("panel.guide")}),e.me!==void 0&&u("label",{children:[l("order"),u("select",{id:"order",value:e.order??"rank",onChange:a=>e.arrange(a.currentTarget.value),children:Zu.map(a=>u("option",{value:a,children:l(`order.${a}`)},a))})]}),e.me!==void 0&&u(jm,{}),u("label",{children:[l("pace"),u("select",{id:"pace",value:e.pace,onChange:a=>e.setPace(a.currentTarget.value),children:Object.keys(Go).map(a=>u("option",{value:a,children:l(`pace.${a}`)},a))})]}),u(L0,{}),u("button",{type:"button",id:"new-game",onClick:n,children:l("newGame")})]})]})]})}function jm(){let[,e]=_(0),t=(n,s)=>{Fi(n,s).then(()=>e(o=>o+1))};return u("fieldset",{class:"alerts",children:[u("legend",{children:l("alerts")}),Vi().map(([n,s])=>u("label",{class:"check",children:[u("input",{type:"checkbox",id:`alert-${n}`,checked:s,onChange:()=>t(n,!s)}),u("span",{children:l(`alerts.${n}`)})]},n))]})}function zm({table:e,close:t}){let{view:n,isMine:s,picked:o,chosen:a}=e,r=n.sides.find(c=>c.side===e.side),i=s?n.phase===3?n.round===1&&n.seq<8n?"guide.first":"guide.start":n.phase!==4?"guide.other":a?"guide.more":o.size===0?r?.opened?"guide.play":"guide.closed":o.size===1?"guide.one":"guide.many":"guide.wait";return u("aside",{id:"guide","aria-label":l("panel.guide"),children:[u("p",{tabIndex:0,children:l(i)}),u("button",{type:"button",onClick:t,children:[u("span",{class:"long",children:l("guide.close")}),u("span",{class:"short","aria-hidden":"true",children:"✕"})]})]})}var Jm=1200,Xm=2e3,ze={},z0=()=>{},ed=()=>{},[ue,Mt,Te]=[void 0,!1,!1],td=()=>{},ra=new AbortController,Vn=[];function oe(e){ze={...ze,...e},z0()}var nd={away(e){return oe({isAway:!0}),td(),new Promise(t=>{let n=setTimeout(t,e);ed=()=>{clearTimeout(n),t()}})},back:()=>ze.isAway&&oe({isAway:!1})},Zt={baseUrl:location.origin,deadlineMs:1/0,outage:nd,interceptors:[di]};function ca(e){if(e instanceof An)return l("trouble.elsewhere");let{reason:t,message:n,retryMs:s}=L.of(e),o=`trouble.${t}`;return l(o,{minutes:Math.ceil((s??6e4)/6e4)})||l("trouble.other",{message:n})}function Ot(e){oe({trouble:ca(e)})}function J0(e,t){ra.abort(),ra=new AbortController;let n=new Jt(e,()=>{ze.table!==n?oe({table:n,isHome:!1}):z0()});return n.fail=Ot,t!==void 0&&(n.panel="replay"),n.run(ra.signal).catch(s=>n.meeting&&L.of(s).reason==="UNAUTHENTICATED"?void 0:Ot(s)),n}async function Ym(){document.documentElement.lang=K;let e=new URLSearchParams(location.hash.slice(1)),t=e.get("t"),n=document.getElementById("proof")?.textContent??void 0,s=n===void 0?await Ln("log"):Pc(n);if(e.has("g")||s)return e1(e,s,n===void 0?void 0:{block:n});ue=Se(Zt);let o=Ao(location.hash);if(o!==void 0)return s1(o);if(t!==null)return n1(t,e.get("at")===null?void 0:Number(e.get("at")));let a=ni();if(a?.isLocal)return ia(a);let r=ue,i=Zm(),c=new Promise(m=>td=()=>setTimeout(m,Jm));await Promise.race([i,c])||await Qm().catch(()=>{});let[d,p]=await i;if(!(Te&&!ze.isHome)){if([ue,Vn,Mt,Te]=[r,d,p,!1],a&&!Mt)return ia(a);oe({isHome:!0,trouble:location.hash.length>1?l("trouble.link"):void 0})}}async function Zm(){let e=Fn(),n=G(Me,ue).create({}).then(()=>!0,s=>L.of(s).reason!=="UNIMPLEMENTED");return[await e,await n]}async function Qm(){ue=await Rt(),[Te,Mt,Vn]=[!0,!1,await Fn()],oe({isHome:!0})}async function e1(e,t,n){await xt(await Rt());let[s,o,a]=[e.get("g"),e.get("p"),e.get("at")],r=s===null?await Ln("outside"):void 0,i=r?JSON.parse(new TextDecoder().decode(r)):{verified:[],notProven:[]},[c,d]=[t??new Uint8Array,n];if(s!==null){let m=await Di(s).catch(()=>{});if(!m)return oe({trouble:l("link.spoilt")});c=m.log,d=o===null?void 0:{text:o,fullHead:m.fullHead},m.fullHead&&i.notProven.push(l("link.head",{head:P(m.fullHead)}))}let p=await Gn("canasta",c,s===null&&!d,{proof:d,packed:s===null?void 0:`${s}${o===null?"":`&p=${o}`}`});oe({loaded:p,outside:i,at:a===null?void 0:Number(a)})}function t1(e){let t=new URLSearchParams(location.hash.slice(1));t.set("at",`${e}`),history.replaceState(null,"",`#${t}`)}async function Fn(){return(await G(te,ue).listRuleSets({})).ruleSets.filter(e=>e.playable)}async function n1(e,t){let n=We(e);if(!n)return Vn=await Fn(),oe({isHome:!0,trouble:l("trouble.link")});let s=Se({...Zt,token:e});[ue,Mt]=[s,!0],await xt(s);let o=new st(s,n.gameId,n.actor,nd);oe({at:t});let a=J0(o,t),r=setInterval(()=>{if(!a.view)return;clearInterval(r);let{title:i,seats:c}=a.view;Tn({id:o.id,token:e,title:i,players:c.map(d=>d.name)})},50)}async function s1(e){Mt=!0;let t={options:Zt,changed:()=>z0(),fail:Ot,sit:J0},n=await Mn.enter(e,t,xt(ue)).catch(s=>L.of(s));if(!(n instanceof L))return oe({meeting:n}),n.run(new AbortController().signal);Vn=await Fn(),oe({isHome:!0,trouble:n.reason==="NOT_FOUND"?l("trouble.code"):ca(n)})}var da=e=>e.violations.map(t=>[t.message,t.repair?.message].filter(Boolean).join(": ")).join("; ");async function sd(e){oe({trouble:void 0});try{await(Mt?e.withFriends?o1(e):a1(e):r1(e))}catch(t){Ot(t)}}function od({clock:e}){let{turn:t,bank:n,increment:s}=ko[e]??{},o=a=>a===void 0?void 0:BigInt(a*1e3);return e===0?void 0:{turnMs:o(t),bankMs:o(n),incrementMs:o(s)}}var ad=({ruleSet:e,variations:t,knobs:n,takeBacks:s,clock:o})=>({ruleSet:e,houseRules:qe(t,n),dealMode:1,clock:od({clock:o}),takeBacks:s});async function o1(e){let t=e.players[e.seat]??"";ce("name",t);let n=await Ve.create(Zt,ad(e),t);if(!(n instanceof Ve))return oe({trouble:da(n)});new Mn(n,{options:Zt,changed:()=>{},fail:Ot,sit:J0}),location.href=On(n.room.code),location.reload()}async function a1({ruleSet:e,variations:t,knobs:n,players:s,seat:o,bots:a,takeBacks:r,clock:i,dealer:c}){let d=await Xu(Se(Zt),{ruleSet:e,dealMode:1,players:s.map(m=>({name:m})),dealer:c,houseRules:qe(t,n),autoTable:!0,creator:le(o),bots:a.map(m=>({seat:m,level:je()})),takeBacks:r,clock:od({clock:i})});if(!("token"in d))return oe({trouble:da(d)});let p={ruleSet:e,variations:t,knobs:n,players:s,seat:o,bots:a,takeBacks:r,clock:i};Tn({id:P(d.gameId),token:d.token,title:e,players:s,made:p}),location.hash=`t=${d.token}`}async function r1({ruleSet:e,variations:t,knobs:n,players:s,seat:o,dealer:a,word:r}){await xt(ue);let i=Te?{secret:crypto.getRandomValues(new Uint8Array(64)),gameId:crypto.getRandomValues(new Uint8Array(16))}:void 0,c=r===""?i:await u1([e,...t,r]),d=await _e.create(ue,Te?ue:location.origin,bo(Te),{ruleSet:e,variations:t,knobs:n,players:s,player:o,dealer:a,given:c});if(!(d instanceof _e))return oe({trouble:da(d)});rd(d)}function rd(e){e.level=je(),si(e.id),J0(e)}async function u1(e){let t=async n=>new Uint8Array(await crypto.subtle.digest("SHA-512",new TextEncoder().encode(n)));return{secret:await t(e.at(-1)??""),gameId:(await t(`id ${e.join(" ")}`)).slice(0,16)}}async function ia(e){try{e.isLocal&&([Te,ue]=[!0,await Rt()]),await xt(ue);let t=await _e.resume(ue,Te?ue:location.origin,bo(Te),e);rd(t)}catch(t){go(),oe({isHome:!0,trouble:`${l("trouble.resume",{title:e.title})} ${ca(t)}`})}}function ua(){go(),location.hash===""?location.reload():location.hash=""}async function i1(e){await sd({knobs:{},...e,word:"",withFriends:e.players.length>1+e.bots.length})}function ud(e){e.arrayBuffer().then(async t=>{await xt(await Rt()),oe({loaded:await Gn(e.name,new Uint8Array(t),!0),outside:void 0,at:void 0,isHome:!1})}).catch(Ot)}function c1(){let[,e]=_(0);C(()=>{z0=()=>e(d=>d+1),Ym().catch(Ot)},[]);let{table:t,meeting:n,loaded:s,isHome:o,isAway:a,trouble:r}=ze,i=t?.room&&fo(t.game.id)?.made,c=i?()=>{i1(i)}:void 0;return u(T,{children:[a&&!Te&&u("p",{id:"away",role:"status",children:[l("away")," ",u("button",{type:"button",id:"try-now",onClick:()=>ed(),children:l("tryNow")})]}),r!==void 0&&u("p",{id:"problem",role:"alert",children:[u("span",{children:r}),t&&u("button",{type:"button",onClick:()=>location.reload(),children:l("reload")}),!o&&u("button",{type:"button",onClick:ua,children:l("newGame")}),u("button",{type:"button",class:"close","aria-label":l("close"),onClick:()=>oe({trouble:void 0}),children:"×"})]}),s?u(j0,{source:s,at:ze.at,outside:ze.outside,...ue?{close:()=>oe({loaded:void 0,isHome:!0})}:{link:t1}},s.id):n&&(n.isApart||!t?.view)?u(rc,{meeting:n,transport:ue,listed:Fn,rulesOf:ad,home:ua}):t?.view?u(Qc,{table:t,transport:ue,at:ze.at,rematch:c,home:ua},t.game.id):o?u(Ei,{client:G(te,ue),sets:Vn,hasRooms:Mt,isLocal:Te,begin:sd,resume:d=>{ia(d)},load:ud}):u("main",{class:"page",children:[u("h1",{children:"Canasta"}),r===void 0&&u("p",{role:"status",children:l("loading")})]}),(o||n?.isApart)&&u("footer",{id:"foot",children:u(L0,{})})]})}H.debounceRendering=e=>e();window.addEventListener("dragover",e=>e.preventDefault());window.addEventListener("drop",e=>{let t=e.dataTransfer?.files[0];t&&(e.preventDefault(),ud(t))});function d1(){if(!document.querySelector("script[src]")||!isSecureContext||!navigator.serviceWorker)return;let t=globalThis.trustedTypes?.createPolicy("worker",{createScriptURL:n=>n}).createScriptURL("/worker.js")??"/worker.js";setTimeout(()=>{navigator.serviceWorker.register(t).catch(()=>{})},Xm)}window.addEventListener("load",d1);window.addEventListener("hashchange",()=>location.reload());v0(u(c1,{}),document.getElementById("app"));
