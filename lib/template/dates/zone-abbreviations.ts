/**
 * Abbreviations of time zones, which Intl does not have. A line: minutes east of UTC and the name (the latest one where a
 * zone has used several), `|`, the zones that have them. An offset that is not listed is written in digits (`+03`).
 * From the IANA time zone database, which is in the public domain.
 */
export const ZONE_ABBREVIATIONS = `
|Africa/Casablanca Africa/El_Aaiun America/Araguaina America/Bahia America/Belem America/Boa_Vista America/Campo_Grande America/Cayenne America/Cuiaba America/Eirunepe America/Fortaleza America/Godthab America/Guyana America/Lima America/Maceio America/Manaus America/Noronha America/Nuuk America/Porto_Acre America/Porto_Velho America/Recife America/Rio_Branco America/Santarem America/Sao_Paulo America/Scoresbysund Antarctica/Troll Asia/Aden Asia/Almaty Asia/Anadyr Asia/Aqtau Asia/Aqtobe Asia/Ashgabat Asia/Ashkhabad Asia/Atyrau Asia/Bahrain Asia/Baku Asia/Barnaul Asia/Bishkek Asia/Brunei Asia/Chita Asia/Choibalsan Asia/Dili Asia/Dubai Asia/Dushanbe Asia/Hovd Asia/Kabul Asia/Kamchatka Asia/Kashgar Asia/Kathmandu Asia/Katmandu Asia/Khandyga Asia/Krasnoyarsk Asia/Kuching Asia/Kuwait Asia/Magadan Asia/Muscat Asia/Novokuznetsk Asia/Novosibirsk Asia/Omsk Asia/Oral Asia/Qatar Asia/Qostanay Asia/Qyzylorda Asia/Riyadh Asia/Sakhalin Asia/Samarkand Asia/Srednekolymsk Asia/Tashkent Asia/Thimbu Asia/Thimphu Asia/Tomsk Asia/Ulaanbaatar Asia/Ulan_Bator Asia/Urumqi Asia/Ust-Nera Asia/Vladivostok Asia/Yakutsk Asia/Yerevan Atlantic/Cape_Verde Atlantic/South_Georgia Australia/Eucla Brazil/Acre Brazil/DeNoronha Brazil/East Brazil/West Etc/GMT+1 Etc/GMT+10 Etc/GMT+11 Etc/GMT+12 Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9 Etc/GMT-1 Etc/GMT-10 Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6 Etc/GMT-7 Etc/GMT-8 Etc/GMT-9 Europe/Astrakhan Europe/Samara Europe/Saratov Europe/Ulyanovsk Indian/Chagos Indian/Christmas Indian/Cocos Indian/Mahe Indian/Mauritius Indian/Reunion Kwajalein NZ-CHAT Pacific/Apia Pacific/Chatham Pacific/Chuuk Pacific/Efate Pacific/Fakaofo Pacific/Fiji Pacific/Funafuti Pacific/Galapagos Pacific/Gambier Pacific/Guadalcanal Pacific/Kiritimati Pacific/Kosrae Pacific/Kwajalein Pacific/Majuro Pacific/Marquesas Pacific/Nauru Pacific/Niue Pacific/Norfolk Pacific/Noumea Pacific/Palau Pacific/Pitcairn Pacific/Pohnpei Pacific/Ponape Pacific/Rarotonga Pacific/Tahiti Pacific/Tarawa Pacific/Tongatapu Pacific/Wake Pacific/Wallis
-114.533=HMT 60=WEST|Atlantic/Azores
-210.867=NST -210=NST -150.867=NDT -150=NDT -90=NDDT|America/St_Johns Canada/Newfoundland
-22.8=JMT 0=GMT|Atlantic/St_Helena
-220.867=PMT -220.6=PMT|America/Paramaribo
-224.85=MMT|America/Montevideo
-230.667=AMT|America/Asuncion
-231.4=SMT|Atlantic/Stanley
-240=AST|America/Anguilla America/Aruba America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Miquelon America/Montserrat America/Port_of_Spain America/St_Kitts America/St_Thomas America/Tortola
-240=AST -180=ADT|America/Barbados America/Glace_Bay America/Halifax America/Thule Canada/Atlantic
-240=AST -180=APT|America/Blanc-Sablon America/Kralendijk America/Lower_Princes America/Marigot America/Puerto_Rico America/St_Barthelemy America/Virgin
-240=AST -210.867=NST -210=NST -180=ADT -150.867=NDT -150=NDT -120=ADDT|America/Goose_Bay
-244.333=FFMT -240=AST -180=ADT|America/Martinique
-244.933=KMT -240=AST|America/St_Vincent
-244=CMT -240=AST|America/St_Lucia
-25.35=DMT 0=GMT 34.65=IST 60=IST|Eire Europe/Dublin
-256.8=CMT|America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Buenos_Aires America/Catamarca America/Cordoba America/Jujuy America/Mendoza America/Rosario
-259.3=BMT -240=AST -199.3=BST -180=ADT|Atlantic/Bermuda
-267.667=CMT|America/Caracas
-272.6=CMT -212.6=BST|America/La_Paz
-282.75=SMT|America/Coyhaique America/Punta_Arenas America/Santiago Chile/Continental
-296.267=BMT|America/Bogota
-300=EST|EST
-300=EST -240=AST|America/Antigua
-300=EST -240=AST -180=ADT|America/Moncton
-300=EST -240=EDT|America/Montreal America/Nassau America/New_York America/Nipigon America/Thunder_Bay America/Toronto Canada/Eastern EST5EDT US/Eastern
-300=EST -280=SDMT -240=AST|America/Santo_Domingo
-300=EST -289=PPMT -240=EDT|America/Port-au-Prince
-307.167=KMT -300=EST|America/Cayman
-307.167=KMT -300=EST -240=EDT|America/Grand_Turk America/Jamaica Jamaica
-314=QMT|America/Guayaquil
-319.6=CMT -300=EST|America/Coral_Harbour America/Panama
-329.6=HMT -300=CST -240=CDT|America/Havana Cuba
-360=CST -300=CDT|America/Belize America/Chicago America/El_Salvador America/Guatemala America/Indiana/Knox America/Knox_IN America/Matamoros America/Menominee America/Merida America/Rainy_River America/Tegucigalpa America/Winnipeg CST6CDT Canada/Central US/Central US/Indiana-Starke
-360=CST -300=CDT -240=EDT|America/Indiana/Tell_City
-360=CST -300=CDT 0=-00|America/Rankin_Inlet America/Resolute
-360=CST -300=EST|America/Atikokan
-360=CST -300=EST -240=EDT|America/Cancun America/Detroit America/Fort_Wayne America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Indianapolis America/Kentucky/Louisville America/Kentucky/Monticello America/Louisville US/East-Indiana US/Michigan
-360=CST -300=EST -240=EDT 0=-00|America/Iqaluit America/Pangnirtung
-360=CST -336.217=SJMT -300=CDT|America/Costa_Rica
-360=CST -345.2=MMT -300=CDT|America/Managua
-420=MST|MST
-420=MST -360=CST|America/Regina America/Swift_Current Canada/Saskatchewan
-420=MST -360=CST -300=CDT|America/Bahia_Banderas America/Chihuahua America/Mexico_City America/Monterrey America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem America/Ojinaga Mexico/General
-420=MST -360=MDT|America/Denver America/Edmonton America/Hermosillo America/Mazatlan America/Phoenix America/Shiprock America/Yellowknife Canada/Mountain MST7MDT Mexico/BajaSur Navajo US/Arizona US/Mountain
-420=MST -360=MDT -300=CDT|America/Ciudad_Juarez
-420=MST -360=MDT -300=EST 0=-00|America/Cambridge_Bay
-437.467=EMT|Chile/EasterIsland Pacific/Easter
-44.5=MMT -43.1333=MMT 0=GMT|Africa/Monrovia
-480=PST -420=MST|America/Creston America/Dawson_Creek America/Fort_Nelson
-480=PST -420=MST -360=MDT|America/Boise
-480=PST -420=MST -360=MDT 0=-00|America/Inuvik
-480=PST -420=PDT|America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana America/Vancouver Canada/Pacific Mexico/BajaNorte PST8PDT US/Pacific
-53=FMT 0=GMT|Africa/Freetown
-540=AKST -480=AKDT|America/Yakutat
-540=AKST -480=AKDT -420=PDT|America/Juneau America/Metlakatla America/Sitka
-540=YST -480=PST -420=MST|America/Dawson America/Whitehorse Canada/Yukon
-600=AHST -540=AKST -480=AKDT|America/Anchorage US/Alaska
-600=HST|HST
-630=HST -600=HST -570=HPT|Pacific/Honolulu Pacific/Johnston US/Hawaii
-66.6=BMT 0=GMT|Africa/Banjul
-660=BST -600=BDT -540=AKST -480=AKDT|America/Nome
-660=BST -600=HST -540=HDT|America/Adak America/Atka US/Aleutian
-660=SST|Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa
-67.6=FMT 0=WET 60=WEST|Atlantic/Madeira
0=-00|Antarctica/Casey Antarctica/Davis Antarctica/DumontDUrville Antarctica/Mawson Antarctica/Palmer Antarctica/Rothera Antarctica/Syowa Antarctica/Vostok Indian/Kerguelen Pacific/Enderbury Pacific/Kanton
0=-00 600=AEST 660=AEDT|Antarctica/Macquarie
0=-00 720=NZST 780=NZDT|Antarctica/McMurdo
0=GMT|Africa/Abidjan Africa/Accra Africa/Bamako Africa/Bissau Africa/Conakry Africa/Dakar Africa/Lome Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich Iceland
0=GMT 57.7333=PMT 60=CET 120=CEST|Europe/Bratislava Europe/Prague
0=GMT 60=BST 120=BDST|Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire
0=GMT 60=CET 120=CEST|Europe/Gibraltar
0=GMT 60=WAT|Africa/Lagos Africa/Malabo Africa/Niamey Africa/Porto-Novo Africa/Sao_Tome
0=UTC|Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu
0=WET 17.5=BMT 60=CET 120=CEST|Europe/Brussels
0=WET 60=CET 120=CEST|Africa/Ceuta Europe/Andorra Europe/Luxembourg Europe/Madrid
0=WET 60=WEST|Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe WET
0=WET 60=WEST 120=CEST|Europe/Lisbon Portugal
0=WET 9.35=PMT 60=CET 120=CEST|Africa/Algiers Europe/Monaco Europe/Paris
104.4=BMT 120=EET 180=EEST|Europe/Bucharest
116.933=IMT 120=EET|Asia/Istanbul Europe/Istanbul Turkey
120=CAT|Africa/Bujumbura Africa/Harare Africa/Kigali Africa/Lusaka Africa/Maputo
120=CAT 141=ZMT 141.167=ZMT|Africa/Blantyre
120=CAT 180=EAT|Africa/Juba Africa/Khartoum
120=EET|Asia/Amman Asia/Damascus
120=EET 150.283=MMT 151.317=MMT 180=MSK 211.317=MST 240=MSK 271.317=MDST|Europe/Moscow W-SU
120=EET 180=EEST|Africa/Cairo Asia/Beirut Asia/Famagusta Asia/Gaza Asia/Hebron Asia/Nicosia EET Egypt Europe/Nicosia
120=IST 140.667=JMT 180=IDT 240=IDDT|Asia/Jerusalem Asia/Tel_Aviv Israel
120=SAST|Africa/Mbabane
120=SAST 180=SAST|Africa/Maseru
155.333=ADMT 155.533=AMT 180=EAT|Africa/Asmara
155.333=ADMT 180=EAT|Africa/Addis_Ababa
177.6=BMT|Asia/Baghdad
179.183=TBMT|Asia/Tbilisi
180=EAT|Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Comoro Indian/Mayotte
180=EAT 240=EAST|Indian/Antananarivo
180=MSK|Europe/Volgograd
180=MSK 240=MSK|Europe/Kirov
19.5333=AMT 60=CET 79.5333=NST 120=CEST|Europe/Amsterdam
205.733=TMT|Asia/Tehran Iran
225.083=PMT|Asia/Yekaterinburg
29.7667=BMT 60=CET 120=CEST|Europe/Busingen Europe/Zurich
294=MMT|Indian/Maldives
300=PKT 360=PKST|Asia/Karachi
319.533=MMT|Asia/Colombo
321.167=MMT 330=IST 353.333=HMT|Asia/Calcutta Asia/Kolkata
353.333=HMT|Asia/Dacca Asia/Dhaka
384.783=RMT|Asia/Rangoon Asia/Yangon
402.067=BMT|Asia/Bangkok
415.417=SMT|Asia/Kuala_Lumpur Asia/Singapore Singapore
417.083=IMT|Asia/Irkutsk
420=WIB 427.2=BMT|Asia/Jakarta
420=WIB 437.333=PMT 480=WITA|Asia/Pontianak
426.5=PLMT|Asia/Ho_Chi_Minh Asia/Phnom_Penh Asia/Saigon Asia/Vientiane
477.6=MMT 480=WITA|Asia/Makassar Asia/Ujung_Pandang
480=AWST 540=AWDT|Australia/Perth Australia/West
480=CST 540=CDT|Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei PRC ROC
480=HKT 510=HKWT 540=HKST|Asia/Hong_Kong Hongkong
480=PST 540=PDT|Asia/Manila
49.9333=RMT 60=CET 120=CEST|Europe/Rome Europe/San_Marino Europe/Vatican
50.3333=CMT 60=CET 120=CEST|Europe/Copenhagen
510=KST 540=KST|Asia/Pyongyang
510=KST 540=KST 570=KDT 600=KDT|Asia/Seoul ROK
540=ACST 570=ACST 600=AEST 630=ACDT|Australia/Broken_Hill Australia/Yancowinna
540=ACST 570=ACST 630=ACDT|Australia/Adelaide Australia/Darwin Australia/North Australia/South
540=JST 600=JDT|Asia/Tokyo Japan
540=WIT|Asia/Jayapura
588.533=PMMT|Pacific/Bougainville Pacific/Port_Moresby Pacific/Truk Pacific/Yap
600=AEST|Australia/LHI Australia/Lord_Howe
600=AEST 660=AEDT|Australia/ACT Australia/Brisbane Australia/Canberra Australia/Currie Australia/Hobart Australia/Lindeman Australia/Melbourne Australia/NSW Australia/Queensland Australia/Sydney Australia/Tasmania Australia/Victoria
600=ChST 660=GDT|Pacific/Guam Pacific/Saipan
60=CET 104.4=BMT 115=CMT 120=EET 180=EEST 240=MSD|Europe/Chisinau Europe/Tiraspol
60=CET 110=MMT 120=EET 240=MSD|Europe/Minsk
60=CET 116.933=IMT 120=EET 180=EEST|Europe/Sofia
60=CET 120=CEST|CET Europe/Belgrade Europe/Budapest Europe/Ljubljana Europe/Malta Europe/Oslo Europe/Podgorica Europe/Sarajevo Europe/Skopje Europe/Tirane Europe/Vaduz Europe/Vienna Europe/Zagreb
60=CET 120=CEST 180=CEMT|Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/Berlin
60=CET 120=EET|Africa/Tripoli Libya
60=CET 120=EET 122.067=KMT 180=EEST 240=MSD|Europe/Kiev Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye
60=CET 120=EET 136=SMT 180=MSK 240=MSK|Europe/Simferopol
60=CET 120=EET 240=MSD|Europe/Kaliningrad
60=CET 60.2333=SET 120=CEST|Europe/Stockholm
60=CET 84=WMT 120=CEST 180=EEST|Europe/Warsaw Poland
60=CET 84=WMT 95.6=KMT 120=EET 180=EEST 240=MSD|Europe/Vilnius
60=CET 94.8667=AMT 120=EET 180=EEST|Europe/Athens
60=CET 96.5667=RMT 120=EET 156.567=LST 180=EEST 240=MSD|Europe/Riga
60=CET 99=TMT 120=EET 180=EEST 240=MSD|Europe/Tallinn
60=MET 120=MEST|MET
60=WAT|Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Libreville Africa/Luanda
60=WAT 120=CAT|Africa/Lubumbashi
60=WAT 120=CAT 180=SAST|Africa/Windhoek
60=WAT 120=WAST|Africa/Ndjamena
690=NZMT 720=NZST 750=NZST 780=NZDT|Antarctica/South_Pole NZ Pacific/Auckland
9.35=PMT 60=CET 120=CEST|Africa/Tunis
90=SAST 120=CAT 180=CAST|Africa/Gaborone
90=SAST 120=SAST 180=SAST|Africa/Johannesburg
99.8167=HMT 120=EET 180=EEST|Europe/Helsinki Europe/Mariehamn
`;
